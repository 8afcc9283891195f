import Nightlatch
import NightlatchTesting
import Testing

@Suite("An app's own rule for PINs")
struct PinRuleTests {
    private static let reason = "It is part of your customer number."
    /// Refuses the PIN ``TestPin/new``, and records the PINs that it was asked for by their lengths.
    private let asked = Shared<[Int]>([])

    private var rule: PinRule {
        { [asked] pin in
            let length = pin.length
            asked.withLock { $0.append(length) }
            return pin.isPart(of: "DE-77 \(TestPin.new)") ? Self.reason : nil
        }
    }

    private func vault(_ store: any SecureStore = MemoryStore()) -> Vault {
        var configuration = VaultConfiguration(keyDerivation: .cheap, keyDerivationBounds: .forTests)
        configuration.pinRule = rule
        return Vault(store: store, clock: ManualClock(), configuration: configuration)
    }

    @Test("It refuses a new vault's PIN with its own reason, and is not asked for PINs that are refused anyway")
    func creation() async throws {
        let vault = vault()
        await #expect(throws: CreateVaultError.pinRefused([.ofApp(Self.reason)])) {
            try await vault.create(TestPin.new)
        }
        #expect(try vault.objections(to: Pin(TestPin.new)) == [.ofApp(Self.reason)])
        #expect(try vault.objections(to: Pin("1234")) == [.length(allowed: 6...6), .common(.run)])
        #expect(try vault.objections(to: Pin(TestPin.right)).isEmpty)
        #expect(asked.withLock { $0 } == [6, 6, 6])
        try await vault.create(TestPin.right)
    }

    @Test("It refuses the PIN of a change, and is not asked for the current PIN")
    func change() async throws {
        let vault = vault()
        try await vault.create(TestPin.right)
        let count = asked.withLock { $0.count }
        await #expect(throws: ChangePinError.newPinRefused([.ofApp(Self.reason)])) {
            try await vault.changePin(TestPin.right, to: TestPin.new)
        }
        await #expect(throws: ChangePinError.newPinRefused([.sameAsCurrent])) {
            try await vault.changePin(TestPin.right, to: TestPin.right)
        }
        #expect(asked.withLock { $0.count } == count + 1)
        try await vault.changePin(TestPin.right, to: TestPin.newest)
    }

    @Test("It refuses the PIN after a recovery")
    func recovery() async throws {
        let vault = vault()
        try await vault.create(TestPin.right).setUpRecovery(TestPhrase.right)
        await #expect(throws: RecoveryError.newPinRefused([.ofApp(Self.reason)])) {
            try await vault.recover(TestPhrase.right, newPin: TestPin.new)
        }
    }

    @Test("A profile's vault keeps the app's rule and has the profile's policy, which the registry stores")
    func profiles() async throws {
        let stores = Shared<[ProfileID: MemoryStore]>([:])
        let profiles = Profiles(registry: MemoryStore(), deviceKeys: nil) { profile in
            vault(
                stores.withLock { stores in
                    let store = stores[profile.id] ?? MemoryStore()
                    stores[profile.id] = store
                    return store
                })
        }
        let policy = try PinPolicy(lengths: 6...8)
        let person = ScriptedPerson(
            entering: [.pin("60583714")],
            creating: [.pin(TestPin.new), .pin("60583714"), .pin(TestPin.new), .pin(TestPin.newest)])
        let outcome = try await profiles.register("Alice", pinPolicy: policy, prompt: person)
        guard case .registered(let profile, _) = outcome else {
            Issue.record("not registered: \(outcome)")
            return
        }
        #expect(person.creatings.map(\.policy) == [policy, policy])
        let service = LocalAuthService(profile: profile.id, in: profiles, prompt: person)
        #expect(try await service.changePin().ending == .changed)
        let refused: [PinObjection] = [.ofApp(Self.reason)]
        #expect(person.creatings.map(\.objections) == [[], refused, [], refused])
        #expect(profiles.vault(of: profile).pinPolicy == policy)
    }

    @Test(
        "A PIN is part of a text if its digits follow each other there, whatever is between them",
        arguments: [
            ("1990-04-17", true), ("+49 900417", true), ("900417", true), ("90041", false), ("900-4-1-8", false),
            ("", false), ("٩٠٠٤١٧", false),
        ])
    func part(text: String, isPart: Bool) throws {
        #expect(try Pin("900417").isPart(of: text) == isPart)
    }
}
