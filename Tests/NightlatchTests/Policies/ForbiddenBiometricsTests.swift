import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Policies that do not allow biometrics")
struct ForbiddenBiometricsTests {
    @Test("A vault neither sets up biometrics nor opens by them, and opens by its PIN, until the policy allows them")
    func vault() async throws {
        let phone = try await TestPhone(biometrics: ScriptedBiometrics())
        try await phone.open.setUpBiometrics()
        try await forbid(at: phone.relyingParty)
        try await phone.bind(await phone.relyingParty.issueCode())
        await #expect(throws: BiometricSetupError.notPermitted) { try await phone.open.setUpBiometrics() }
        await #expect(throws: BiometricUnlockError.notPermitted) {
            try await phone.vault.unlockWithBiometrics(reason: "Show the balance")
        }
        try await phone.vault.unlock(TestPin.right)
        try await allow(at: phone.relyingParty)
        _ = try await phone.login.logIn(phone.open)
        try await phone.open.setUpBiometrics()
        try await phone.vault.unlockWithBiometrics(reason: "Show the balance").lock()
    }

    @Test("Biometric login is not enabled; the device stays bound, and another account can enable it")
    func enabling() async throws {
        let phone = try await BiometricLoginPhone()
        try await forbid(at: phone.relyingParty)
        let error = await #expect(throws: BiometricLoginError.self) {
            try await phone.enable(await phone.relyingParty.issueCode())
        }
        #expect(error == .setUp(.notPermitted) && error?.advice == .askForPin)
        #expect(try await phone.login.user() == nil)
        #expect(try await phone.phone.open.deviceBinding() != nil)
        try await allow(at: phone.relyingParty)
        let other = try await phone.otherAccount()
        let bob = UserID(unchecked: "bob")
        #expect(try await phone.enable(await phone.relyingParty.issueCode(for: bob), in: other.open) == bob)
    }

    @Test("An enabled biometric login sends no request any more")
    func attempt() async throws {
        let phone = try await BiometricLoginPhone()
        try await allow(at: phone.relyingParty)
        try await phone.enable(await phone.relyingParty.issueCode())
        _ = try await phone.attempt()
        try await forbid(at: phone.relyingParty, revision: 9)
        // This login delivers the policy.
        _ = try await phone.attempt()
        let verbs = await phone.relyingParty.verbs
        let error = await #expect(throws: BiometricLoginError.self) { try await phone.attempt() }
        #expect(error == .unlock(.notPermitted) && error?.advice == .signIn)
        #expect(await phone.relyingParty.verbs == verbs)
    }

    @Test("Biometrics decide no transaction, and the PIN does")
    func decision() async throws {
        let phone = try await TestPhone(biometrics: ScriptedBiometrics())
        try await phone.open.setUpBiometrics()
        try await forbid(at: phone.relyingParty)
        try await phone.bind(await phone.relyingParty.issueCode())
        let session = try await phone.login.logIn(phone.open)
        let details = try TransactionDetails(
            amount: "129.90", currency: "EUR", payee: Payee(unchecked: "Night Train Ltd"),
            expiresAt: NumericDate(secondsSince1970: 2_000_000_600))
        let id = await phone.relyingParty.ask(details)
        let pending = try #require(try await session.pendingTransactions().first)
        let decider = TransactionDecider(vault: phone.vault, keys: phone.keys)
        let error = await #expect(throws: DecisionError.self) {
            try await decider.confirm(pending, in: session, biometricReason: "Pay 129.90 EUR")
        }
        #expect(error == .biometricsNotPermitted && error?.advice == .askForPin)
        #expect(await phone.relyingParty.state(of: id) == .pending)
        _ = try await decider.confirm(pending, in: session, pin: try Pin(TestPin.right))
        #expect(await phone.relyingParty.state(of: id) == .confirmed)
    }

    private func forbid(at relyingParty: ScriptedRelyingParty, revision: Int = 7) async throws {
        try await set(#"{"authenticators":["pin"]}"#, revision: revision, at: relyingParty)
    }

    private func allow(at relyingParty: ScriptedRelyingParty) async throws {
        try await set("{}", revision: 8, at: relyingParty)
    }

    private func set(_ json: String, revision: Int, at relyingParty: ScriptedRelyingParty) async throws {
        if await relyingParty.answerKey == nil { await relyingParty.sign(with: P256.Signing.PrivateKey()) }
        await relyingParty.set(policy: json, revision: try #require(PolicyRevision(rawValue: revision)))
    }
}
