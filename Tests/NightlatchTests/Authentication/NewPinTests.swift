import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Changing and setting a PIN")
struct NewPinTests {
    private static let longer = "60583714"

    @Test("The old PIN is tested, then a new one is chosen, and only the new one opens the same vault")
    func change() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await open.set("seed", named: "wallet")
        let person = ScriptedPerson(
            entering: [.pin(TestPin.wrong), .pin(TestPin.right)],
            creating: [.pin("111111"), .pin("123456"), .pin(TestPin.new)])
        let result = try await device.auth(profile, person).changePin()
        #expect(result.ending == .changed && result.events.isEmpty)
        #expect(try await result.open?.text(named: "wallet") == "seed")
        #expect(person.enterings.map(\.purpose) == [.changePin, .changePin])
        #expect(person.enterings.map(\.attempts.lastTry) == [nil, .wrong(triesLeft: 9, wait: nil)])
        #expect(person.creatings.map(\.purpose) == [.changePin, .changePin, .changePin])
        #expect(person.creatings.map { $0.objections.contains(.common(.repetition)) } == [false, true, false])
        #expect(person.creatings.map { $0.objections.contains(.common(.run)) } == [false, true, true])
        let vault = device.profiles.vault(of: profile)
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.right) }
        try await vault.unlock(TestPin.new)
    }

    @Test("The old PIN is refused as the new one with its own reason, and is then gone from the challenges")
    func samePin() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let challenges = Shared<[CreatePinChallenge]>([])
        let prompt = ObservedPrompt(
            ScriptedPerson(
                entering: [.pin(TestPin.right)], creating: [.pin(TestPin.right), .pin("111111"), .pin(TestPin.new)])
        ) { challenge in
            challenges.withLock { $0.append(challenge) }
            // The pad can refuse the old PIN before the user repeats it.
            #expect(challenge.objections(to: TestPin.right) == [.sameAsCurrent])
            #expect(challenge.objections(to: TestPin.new) == [])
        }
        let service = LocalAuthService(profile: profile.id, in: device.profiles, prompt: prompt)
        #expect(try await service.changePin().ending == .changed)
        let seen = challenges.withLock { $0 }
        #expect(seen.prefix(2).map(\.objections) == [[], [.sameAsCurrent]] && seen.count == 3)
        #expect(seen.last?.objections.first == .common(.repetition))
        #expect(seen.last?.objections.contains(.sameAsCurrent) == false)
        for challenge in seen { #expect(challenge.objections(to: TestPin.right) == []) }
        try await device.profiles.vault(of: profile).unlock(TestPin.new)
    }

    @Test("The old PIN is gone when the vault locks by itself, before the prompt has answered")
    func lockedWhileChoosing() async throws {
        let clock = ManualClock()
        let vault = Vault(
            store: MemoryStore(), clock: clock,
            configuration: VaultConfiguration(
                keyDerivation: .cheap, keyDerivationBounds: .forTests, autoLock: .standard))
        await (try vault.create(with: Pin(TestPin.right))).lock()
        let prompt = ObservedPrompt(
            ScriptedPerson(entering: [.pin(TestPin.right)], creating: [.pin(TestPin.new)])
        ) { challenge in
            #expect(challenge.objections(to: TestPin.right) == [.sameAsCurrent])
            clock.advance(by: .seconds(600))
            // Ends: the vault locks at its deadline, which has passed.
            while !Task.isCancelled, challenge.objections(to: TestPin.right) != [] { await Task.yield() }
        }
        let service = LocalAuthService(
            vault: vault, of: Profile(id: .random(), name: "Alice"), prompt: prompt)
        await #expect(throws: ChangePinError.vault(.locked)) { try await service.changePin() }
        try await vault.unlock(TestPin.right)
    }

    @Test("After biometrics, the old PIN is unknown and may be set again")
    func unknownOldPin() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson(entering: [.forget], creating: [.pin(TestPin.right)])
        let forgetful = device.auth(profile, person, LocalAuthConfiguration(order: .pinOnly))
        #expect(try await forgetful.unlock(reason: "Pay").ending == .blocked(.newCredentials))
        let auth = device.auth(profile, person)
        let open = try #require(try await auth.unlock(reason: "Pay").open)
        #expect(try await auth.setPin(in: open, after: .checkedByApp()).ending == .changed)
        #expect(person.creatings.map(\.objections) == [[]])
    }

    @Test("Cancelling at either prompt keeps the PIN, and only the attempt is written", arguments: [0, 1])
    func cancelled(atPrompt: Int) async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let registry = try await device.registry.read()
        let person = ScriptedPerson(
            entering: atPrompt == 0 ? [.cancel] : [.pin(TestPin.right)], creating: [.cancel])
        #expect(try await device.auth(profile, person).changePin().ending == .cancelled)
        #expect(person.creatings.count == atPrompt)
        #expect(try await device.registry.read() == registry)
        try await device.profiles.vault(of: profile).unlock(TestPin.right)
    }

    @Test("The old PIN is entered with its own length, and the new one follows the server's current policy")
    func newLength() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        try await device.profiles.setPinPolicy(try PinPolicy(lengths: 8...8), for: profile.id)
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(Self.longer)], creating: [.pin(TestPin.new), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        #expect(try await auth.changePin().ending == .changed)
        #expect(person.creatings.map(\.objections) == [[], [.length(allowed: 8...8)]])
        #expect(try await device.profiles.profile(profile.id)?.pinLength == 8)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(person.enterings.map(\.pinLength) == [6, 8])
    }

    @Test("The length is written only after the PIN has changed, and a new PIN of the same length writes nothing")
    func writes() async throws {
        let registry = RecordingStore(MemoryStore())
        let device = SharedDevice(registry: registry)
        let profile = try await device.register(policy: try PinPolicy(lengths: 6...8)).profile
        var written = registry.written.count
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(TestPin.new)], creating: [.pin(TestPin.new), .pin(Self.longer)])
        #expect(try await device.auth(profile, person).changePin().ending == .changed)
        #expect(registry.written.count == written)
        written = registry.written.count
        #expect(try await device.auth(profile, person).changePin().ending == .changed)
        let texts = registry.written.dropFirst(written).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(texts.map { $0.contains("pin_length\":8") } == [false, true])
        #expect(texts.map { $0.contains("pin_length\":") } == [false, true])
    }

    @Test("If the app does not remember lengths, a change of PIN writes none")
    func notRemembered() async throws {
        let registry = RecordingStore(MemoryStore())
        let device = SharedDevice(registry: registry, remembersPinLengths: false)
        let profile = try await device.register(policy: try PinPolicy(lengths: 6...8)).profile
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(Self.longer)], creating: [.pin(Self.longer)])
        #expect(try await device.auth(profile, person).changePin().ending == .changed)
        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(person.enterings.map(\.pinLength) == [nil, nil])
        #expect(!registry.written.contains { String(decoding: $0.bytes, as: UTF8.self).contains("pin_length\":") })
    }

    @Test("If the registry cannot be written before the change, the PIN stays as it was")
    func registryBefore() async throws {
        let device = SharedDevice()
        let profile = try await device.register(policy: try PinPolicy(lengths: 6...8)).profile
        let registry = device.registry
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right)],
            creating: [.first { registry.fail(at: 1, .before) }, .pin(Self.longer)])
        await #expect(throws: ChangePinError.registry(RegistryError(.profiles, StoreError(.unavailable)))) {
            try await device.auth(profile, person).changePin()
        }
        registry.repair()
        #expect(try await device.profiles.profile(profile.id)?.pinLength == 6)
        try await device.profiles.vault(of: profile).unlock(TestPin.right)
    }

    @Test(
        "If the registry cannot be written after the change, the app learns it, and the next unlock writes the length"
    )
    func registryAfter() async throws {
        let place = MemoryStore()
        let registry = RecordingStore(place)
        let device = SharedDevice(registry: registry)
        let profile = try await device.register(policy: try PinPolicy(lengths: 6...8)).profile
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right), .pin(Self.longer), .cancel], creating: [.pin(Self.longer)])
        let profiles = Profiles(
            registry: PartlyBrokenStore(registry, brokenCalls: 3..<10), deviceKeys: nil, remembersPinLengths: true
        ) { device.profiles.vault(of: $0) }
        let result = try await LocalAuthService(profile: profile.id, in: profiles, prompt: person).changePin()
        #expect(result.ending == .changed)
        #expect(result.events == [.pinLengthNotWritten(RegistryError(.profiles, StoreError(.unavailable)))])

        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .cancelled)
        #expect(person.enterings.map(\.pinLength) == [6, nil, 8])
    }

    @Test("The next unlock drops a wrong length, and writes none where none is remembered")
    func mended() async throws {
        let device = SharedDevice()
        let profile = try await device.register(policy: try PinPolicy(lengths: 6...8)).profile
        try await device.profiles.vault(of: profile).changePin(TestPin.right, to: Self.longer)
        let person = ScriptedPerson(entering: [.pin(Self.longer), .cancel])
        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(try await device.auth(profile, person).unlock(reason: "Pay").ending == .cancelled)
        #expect(person.enterings.map(\.pinLength) == [6, nil])

        let before = SharedDevice(remembersPinLengths: false)
        let old = try await before.register().profile
        let profiles = Profiles(registry: before.registry, deviceKeys: nil, remembersPinLengths: true) {
            before.profiles.vault(of: $0)
        }
        let auth = LocalAuthService(
            profile: old.id, in: profiles, prompt: ScriptedPerson(entering: [.pin(TestPin.right)]))
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
        #expect(try await profiles.profile(old.id)?.pinLength == nil)
    }

    @Test("A PIN that another caller has changed at the same time is not changed again")
    func superseded() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let vault = device.profiles.vault(of: profile)
        let person = ScriptedPerson(
            entering: [.pin(TestPin.right)],
            creating: [
                .first {
                    await #expect(throws: Never.self) { try await vault.changePin(TestPin.right, to: TestPin.newest) }
                }, .pin(TestPin.new),
            ])
        await #expect(throws: ChangePinError.vault(.superseded)) {
            try await device.auth(profile, person).changePin()
        }
        try await vault.unlock(TestPin.newest)
    }

    @Test("Biometrics open a vault with a blocked PIN, in any order, and full credentials set a new PIN")
    func blockedPin() async throws {
        for order in [AuthenticatorOrder.preferred, .biometricsFirst, .pinFirst] {
            let device = SharedDevice()
            let profile = try await device.registerWithBiometrics()
            let person = ScriptedPerson(entering: [.forget], creating: [.pin("111111"), .pin(TestPin.new)])
            let forgetful = device.auth(profile, person, LocalAuthConfiguration(order: .pinOnly))
            #expect(try await forgetful.unlock(reason: "Pay").ending == .blocked(.newCredentials))
            #expect(try await forgetful.unlock(reason: "Pay").ending == .blocked(.newCredentials))

            let auth = device.auth(profile, person, LocalAuthConfiguration(order: order))
            let result = try await auth.unlock(reason: "Pay")
            #expect(result.ending == .unlocked(.biometrics))
            #expect(result.events == [.pinBlocked(.newCredentials)])
            #expect(try await auth.authenticators() == [.pin, .biometrics])
            let set = try await auth.setPin(in: try #require(result.open), after: .checkedByApp())
            #expect(set.ending == .changed && set.events.isEmpty)
            #expect(person.creatings.map(\.purpose) == [.replaceLostPin, .replaceLostPin])
            #expect(person.creatings.map(\.objections.isEmpty) == [true, false])
            try await device.profiles.vault(of: profile).unlock(TestPin.new)
            #expect(person.enterings.count == 1)
        }
    }

    @Test(
        "If the PIN is blocked and biometrics fail, the result is blocked; if they are cancelled, it is cancelled",
        arguments: BiometricFallbackTests.failures)
    func blockedPinAndNoBiometrics(failure: BiometricError) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let person = ScriptedPerson(entering: [.forget])
        _ = try await device.auth(profile, person, LocalAuthConfiguration(order: .pinOnly)).unlock(reason: "Pay")
        device.biometrics(of: profile.id).script(.fails(failure))
        let result = try await device.auth(profile, person).unlock(reason: "Pay")
        #expect(result.ending == (failure == .cancelled ? .cancelled : .blocked(.newCredentials)))
        #expect(person.enterings.count == 1)
    }

    @Test("A wallet with a forgotten PIN refuses biometrics; its phrase opens it and sets a PIN of a new length")
    func wallet() async throws {
        let device = SharedDevice(lockoutPolicy: .wallet)
        let (profile, open) = try await device.register(policy: try PinPolicy(lengths: 6...8))
        let words = RecoveryPhrase.random(wordCount: .twelve)
        try await open.setUpRecovery(words)
        try await open.set("seed", named: "wallet")
        let person = ScriptedPerson(
            entering: [.forget, .pin(Self.longer)], creating: [.cancel, .pin("111111"), .pin(Self.longer)])
        let auth = device.auth(profile, person)
        try await auth.setUp(.biometrics, in: open, preferring: false)
        #expect(try await auth.unlock(reason: "Pay").ending == .blocked(.recoveryPhrase))
        #expect(try await auth.unlock(reason: "Pay").ending == .blocked(.recoveryPhrase))
        #expect(device.biometrics(of: profile.id).reasons.isEmpty)

        #expect(try await auth.recover(with: words).ending == .cancelled)
        let result = try await auth.recover(with: words)
        #expect(result.ending == .changed)
        #expect(try await result.open?.text(named: "wallet") == "seed")
        #expect(person.creatings.map(\.purpose) == [.replaceLostPin, .replaceLostPin, .replaceLostPin])
        #expect(try await device.profiles.profile(profile.id)?.pinLength == 8)
        #expect(try await auth.unlock(reason: "Pay").ending == .unlocked(.pin))
    }
}
