import Nightlatch
import NightlatchTesting
import Testing

@Suite("Vault")
struct VaultTests {
    @Test("A new vault is empty, open and ready", arguments: StoreKind.allCases)
    func create(kind: StoreKind) async throws {
        let place = kind.make()
        let vault = Vault.forTests(place.store)
        #expect(try await vault.state() == .absent)
        let open = try await vault.create(TestPin.right)
        #expect(try await open.names().isEmpty)
        #expect(try await vault.state() == .ready(triesLeft: 10))
    }

    @Test("The right PIN opens the vault, also in another process", arguments: StoreKind.allCases)
    func unlock(kind: StoreKind) async throws {
        let place = kind.make()
        try await Vault.forTests(place.store).create(TestPin.right).set("seed", named: "wallet")
        let open = try await Vault.forTests(place.store).unlock(TestPin.right)
        #expect(try await open.texts() == ["wallet": "seed"])
    }

    @Test("A wrong PIN opens nothing and is charged", arguments: StoreKind.allCases)
    func wrong(kind: StoreKind) async throws {
        let place = kind.make()
        let vault = Vault.forTests(place.store)
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) {
            try await vault.unlock(TestPin.wrong)
        }
        #expect(try await vault.state() == .ready(triesLeft: 9))
    }

    @Test(
        "A PIN that is longer, shorter or has other leading zeros is wrong",
        arguments: [
            "4829150", "48291", "0482915", "482914", "592915",
        ])
    func nearlyRight(digits: String) async throws {
        let vault = Vault.forTests(MemoryStore())
        try await vault.create(TestPin.right)
        await #expect(throws: UnlockError.refused(.wrong(triesLeft: 9, wait: nil))) { try await vault.unlock(digits) }
    }

    @Test("The right PIN resets the count")
    func cleared() async throws {
        let vault = Vault.forTests(MemoryStore())
        try await vault.create(TestPin.right)
        for _ in 0..<2 { await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) } }
        #expect(try await vault.state() == .ready(triesLeft: 8))
        try await vault.unlock(TestPin.right)
        #expect(try await vault.state() == .ready(triesLeft: 10))
    }

    @Test("A second vault does not replace the first", arguments: StoreKind.allCases)
    func exists(kind: StoreKind) async throws {
        let place = kind.make()
        try await Vault.forTests(place.store).create(TestPin.right)
        let before = try await place.store.read()
        await #expect(throws: CreateVaultError.exists) { try await Vault.forTests(place.store).create(TestPin.new) }
        #expect(try await place.store.read() == before)
    }

    @Test(
        "If many vaults are created in one store at the same time, exactly one exists afterwards",
        arguments: StoreKind.allCases)
    func createdAtOnce(kind: StoreKind) async throws {
        let place = kind.make()
        let pins = (0..<20).map { "48291\($0 % 10)" + "\($0 / 10)93" }
        let vault = Vault(
            store: place.store, clock: ManualClock(),
            configuration: VaultConfiguration(
                pinPolicy: try PinPolicy(lengths: 9...9), keyDerivation: .cheap,
                keyDerivationBounds: .forTests))
        let made = await withTaskGroup(of: String?.self) { group in
            for pin in pins {
                group.addTask { (try? await vault.create(pin)) == nil ? nil : pin }
            }
            return await group.reduce(into: [String]()) { made, pin in pin.map { made.append($0) } }
        }
        #expect(made.count == 1)
        try await vault.unlock(try #require(made.first))
    }

    @Test("A PIN that the policy forbids creates no vault, and all objections are reported")
    func refusedPin() async throws {
        let store = MemoryStore()
        await #expect(throws: CreateVaultError.pinRefused([.length(allowed: 6...6), .common(.run)])) {
            try await Vault.forTests(store).create("1234")
        }
        #expect(try await store.read() == nil)
    }

    @Test("A PIN that was set opens the vault under any later policy")
    func policyChanged() async throws {
        let store = MemoryStore()
        try await Vault.forTests(store).create(TestPin.right)
        let strict = Vault(
            store: store, clock: ManualClock(),
            configuration: VaultConfiguration(
                pinPolicy: try PinPolicy(lengths: 8...8), keyDerivation: .cheap,
                keyDerivationBounds: .forTests))
        try await strict.unlock(TestPin.right)
    }

    @Test("Without a vault, nothing is tested")
    func noVault() async throws {
        let vault = Vault.forTests(MemoryStore())
        await #expect(throws: UnlockError.noVault) { try await vault.unlock(TestPin.right) }
        await #expect(throws: ChangePinError.noVault) {
            try await vault.changePin(TestPin.right, to: TestPin.new)
        }
    }

    /// The cheapest parameters, so that the test is quick.
    @Test(
        "Parameters within the standard bounds open their vaults",
        arguments: [
            .argon2id(memoryKibibytes: 7168, passes: 5, lanes: 1), .pbkdf2(iterations: 100_000),
        ] as [KeyDerivationParameters])
    func realParameters(parameters: KeyDerivationParameters) async throws {
        let vault = Vault(
            store: MemoryStore(), clock: ManualClock(), configuration: VaultConfiguration(keyDerivation: parameters))
        try await vault.create(TestPin.right)
        try await vault.unlock(TestPin.right)
    }
}
