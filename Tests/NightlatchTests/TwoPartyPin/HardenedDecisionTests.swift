import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Deciding transactions and remote logins by a two-party PIN")
struct HardenedDecisionTests {
    @Test("The result of a decision contains the foreign guesses that its unlock found")
    func foreignGuesses() async throws {
        let hardener = MemoryPinHardener()
        let phone = try await TestPhone.bound()
        let vault = Vault.forTests(phone.store, hardener: hardener.client())
        let session = try await phone.login.logIn(try await vault.unlock(TestPin.right))
        for _ in 0..<2 {
            let image = MemoryStore()
            image.plant(try await phone.store.read())
            let thief = Vault.forTests(image, hardener: hardener.client())
            await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        }
        let decider = TransactionDecider(vault: vault, keys: phone.keys)
        for told in [2, nil] {
            _ = await phone.relyingParty.ask(try Self.details())
            let pending = try #require(try await session.pendingTransactions().first)
            let pin = try Pin(TestPin.right)
            let receipt = try await decider.confirm(pending, in: session, pin: pin)
            #expect(receipt.foreignGuesses?.surelyForeign == told)
            #expect(receipt.rekeyFailure == nil)
        }
    }

    @Test("The result of a decision on a remote login contains the foreign guesses that its unlock found")
    func foreignGuessesAtRemoteLogin() async throws {
        let hardener = MemoryPinHardener()
        let phone = try await TestPhone.bound()
        let vault = Vault.forTests(phone.store, hardener: hardener.client())
        let session = try await phone.login.logIn(try await vault.unlock(TestPin.right))
        let image = MemoryStore()
        image.plant(try await phone.store.read())
        let thief = Vault.forTests(image, hardener: hardener.client())
        await #expect(throws: UnlockError.self) { try await thief.unlock(TestPin.wrong) }
        let decider = RemoteLoginDecider(vault: vault, keys: phone.keys)
        let number = RemoteLoginNumber(unchecked: "42")
        for told in [1, nil] {
            _ = await phone.relyingParty.requestLogin(.forTests(), number: number)
            let pending = try #require(try await session.pendingRemoteLogins().logins.first)
            let pin = try Pin(TestPin.right)
            let receipt = try await decider.confirm(pending, number: number, in: session, pin: pin)
            #expect(receipt.foreignGuesses?.surelyForeign == told)
        }
    }

    private static func details() throws -> TransactionDetails {
        try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: "Night Train Ltd",
            lines: [.init(label: "Reference", value: "Berth 7")],
            expiresAt: NumericDate(secondsSince1970: 2_000_000_600))
    }
}
