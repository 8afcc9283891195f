import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Local authentication for a vault without a registry of profiles")
struct VaultAloneTests {
    private let profile = Profile(id: .random(), name: ProfileName(unchecked: "This device"))

    private func vault(_ policy: LockoutPolicy = .login, biometrics: ScriptedBiometrics? = nil) async throws -> Vault {
        let vault = Vault(
            store: MemoryStore(), clock: ManualClock(), biometrics: biometrics,
            configuration: VaultConfiguration(
                lockoutPolicy: policy, keyDerivation: .cheap, keyDerivationBounds: .forTests, autoLock: .never))
        await (try vault.create(TestPin.right)).lock()
        return vault
    }

    @Test("The PIN is asked for until it is right")
    func unlock() async throws {
        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.right)])
        let auth = LocalAuthService(vault: try await vault(), of: profile, prompt: person)
        let result = try await auth.unlock(reason: "Show the balance")
        #expect(result.ending == .unlocked(.pin))
        #expect(result.events.isEmpty)
        #expect(person.enterings.map(\.attempts.failureCount) == [0, 1])
        #expect(person.enterings.map(\.profile) == [profile, profile])
    }

    @Test("A change of PIN asks for the old one, then for a new one")
    func changePin() async throws {
        let vault = try await vault()
        let person = ScriptedPerson(entering: [.pin(TestPin.right)], creating: [.pin(TestPin.new)])
        #expect(try await LocalAuthService(vault: vault, of: profile, prompt: person).changePin().ending == .changed)
        try await vault.unlock(TestPin.new)
    }

    @Test("After a wipe by the policy, nothing else needs to be removed")
    func erased() async throws {
        let vault = try await vault(.enterprise)
        let person = ScriptedPerson(entering: [.forget])
        let result = try await LocalAuthService(vault: vault, of: profile, prompt: person).unlock(reason: "Show")
        #expect(result.ending == .erased && result.events.isEmpty)
        #expect(try await vault.state() == .erased)
    }

    @Test("One call sets up biometrics and asks for the PIN")
    func setUpBiometrics() async throws {
        let biometrics = ScriptedBiometrics()
        let vault = try await vault(biometrics: biometrics)
        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.right)])
        let auth = LocalAuthService(vault: vault, of: profile, prompt: person)
        let result = try await auth.setUp(.biometrics, reason: "Turn on Face ID")
        #expect(result.ending == .unlocked(.pin))
        #expect(await result.open?.isLocked == false)
        #expect(person.enterings.map(\.purpose) == Array(repeating: .unlock(reason: "Turn on Face ID"), count: 2))
        #expect(try await auth.authenticators() == [.pin, .biometrics])
        try await vault.unlockWithBiometrics(reason: "Show").lock()
    }

    @Test(
        "Setting up biometrics again asks for the PIN, not for biometrics, and a cancel changes nothing",
        arguments: [false, true])
    func cancelled(isSetUp: Bool) async throws {
        let biometrics = ScriptedBiometrics()
        let vault = try await vault(biometrics: biometrics)
        if isSetUp {
            let open = try await vault.unlock(TestPin.right)
            try await open.setUpBiometrics()
            await open.lock()
        }
        let keyCount = biometrics.keys.count
        let preferring = Profile(
            id: profile.id, name: profile.name, preferredAuthenticator: .biometrics)
        let person = ScriptedPerson(entering: [.cancel])
        let auth = LocalAuthService(vault: vault, of: preferring, prompt: person)
        #expect(try await auth.setUp(.biometrics, reason: "Turn on").ending == .cancelled)
        #expect(biometrics.keys.count == keyCount && biometrics.reasons.isEmpty)
        #expect(try await auth.authenticators().contains(.biometrics) == isSetUp)
        await #expect(throws: AuthenticatorError.pinIsAlwaysThere) { try await auth.setUp(.pin, reason: "Turn on") }
        #expect(person.enterings.count == 1)
    }

    @Test("The profile's policy applies to the PIN after a recovery by phrase, in the prompt and in the vault")
    func recovery() async throws {
        let vault = try await vault()
        let open = try await vault.unlock(TestPin.right)
        try await open.setUpRecovery(TestPhrase.right)
        var policy = Policy()
        policy.pinLengths = PolicyPinLengths(8...8)
        let person = ScriptedPerson(creating: [.pin(TestPin.new), .pin("60583714")])
        let auth = LocalAuthService(vault: vault, of: profile.following(policy), prompt: person)
        let phrase = try RecoveryPhrase(typed: SecretBytes(copying: Array(TestPhrase.right.utf8)))
        #expect(try await auth.recover(with: phrase).ending == .changed)
        #expect(person.creatings.map(\.objections) == [[], [.length(allowed: 8...8)]])
        try await vault.unlock("60583714")
    }

    @Test("If the profile's policy does not allow biometrics, they are not set up, asked for or listed")
    func forbiddenBiometrics() async throws {
        let biometrics = ScriptedBiometrics()
        let vault = try await vault(biometrics: biometrics)
        let open = try await vault.unlock(TestPin.right)
        try await open.setUpBiometrics()
        var policy = Policy()
        policy.authenticators = PolicyChoice([.pin])
        let preferring = Profile(
            id: profile.id, name: profile.name, preferredAuthenticator: .biometrics, policy: policy)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = LocalAuthService(vault: vault, of: preferring, prompt: person)
        #expect(try await auth.authenticators() == [.pin])
        await #expect(throws: AuthenticatorError.notPermitted) { try await auth.setUp(.biometrics, in: open) }
        #expect(try await auth.unlock(reason: "Show").ending == .unlocked(.pin))
        #expect(biometrics.reasons.isEmpty)
    }

    @Test("An error of the keyring is reported, and nothing is set up")
    func keyringFails() async throws {
        let biometrics = ScriptedBiometrics()
        let vault = try await vault(biometrics: biometrics)
        biometrics.failKeyChanges(with: .failed(systemStatus: -4))
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = LocalAuthService(vault: vault, of: profile, prompt: person)
        await #expect(throws: AuthenticatorError.biometrics(.failed(systemStatus: -4))) {
            try await auth.setUp(.biometrics, reason: "Turn on")
        }
        #expect(try await auth.authenticators() == [.pin])
    }
}
