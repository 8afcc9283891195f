import Nightlatch
import NightlatchTesting
import Testing

@Suite("Unlocking with the PIN")
struct UnlockTests {
    private let reason = "Show the balance"

    @Test("A challenge has profile, reason, failures, attempts left and length, and is repeated after a wrong PIN")
    func challenges() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await open.set("seed", named: "wallet")
        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.new), .pin(TestPin.right)])
        let result = try await device.auth(profile, person).unlock(reason: reason)
        #expect(result.ending == .unlocked(.pin))
        #expect(result.events.isEmpty)
        #expect(try await result.open?.text(named: "wallet") == "seed")
        let expected = [
            (0, 10, PinRefusal?.none), (1, 9, .wrong(triesLeft: 9, wait: nil)), (2, 8, .wrong(triesLeft: 8, wait: nil)),
        ]
        .map { failures, triesLeft, lastTry in
            PinChallenge(
                profile: profile, purpose: .unlock(reason: reason),
                attempts: .init(failureCount: failures, triesLeft: triesLeft, lastTry: lastTry), pinLength: 6)
        }
        #expect(person.enterings == expected)
        #expect(person.creatings.isEmpty)
    }

    @Test("The first challenge has the number of earlier failures, also after a restart")
    func earlierFailures() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let first = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.wrong), .cancel])
        #expect(try await device.auth(profile, first).unlock(reason: reason).ending == .cancelled)
        let second = ScriptedPerson(entering: [.cancel])
        #expect(try await device.auth(profile, second).unlock(reason: reason).ending == .cancelled)
        #expect(second.enterings.map(\.attempts.failureCount) == [2])
        #expect(second.enterings.map(\.attempts.triesLeft) == [8])
        #expect(second.enterings.map(\.attempts.lastTry) == [nil])
    }

    @Test(
        "The challenge for the last attempt, and no other, has its effect as the user meets it",
        arguments: [
            (LockoutEnd.newCredentials, false, LockoutEnd.newCredentials), (.wipe, false, .wipe),
            (.recoveryPhrase, true, .recoveryPhrase), (.recoveryPhrase, false, .newCredentials),
        ])
    func lastAttempt(policy: LockoutEnd, hasPhrase: Bool, end: LockoutEnd) async throws {
        let device = SharedDevice(
            lockoutPolicy: try LockoutPolicy(firstWaitAfter: 3, waits: [.seconds(30)], limit: 3, end: policy))
        let (profile, open) = try await device.register()
        if hasPhrase { try await open.setUpRecovery(RecoveryPhrase.random(wordCount: .twelve)) }
        let person = ScriptedPerson(entering: [.pin(TestPin.wrong), .pin(TestPin.wrong), .cancel])
        #expect(try await device.auth(profile, person).unlock(reason: reason).ending == .cancelled)
        #expect(person.enterings.map(\.attempts.triesLeft) == [3, 2, 1])
        #expect(person.enterings.map(\.attempts.end) == [nil, nil, end])
    }

    @Test("Cancelling is its own outcome and charges no attempt")
    func cancelled() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let before = (try await device.registry.read(), try await device.vaultStore(of: profile.id).read())
        let person = ScriptedPerson(entering: [.cancel])
        let result = try await device.auth(profile, person).unlock(reason: reason)
        #expect(result.ending == .cancelled)
        #expect(result.events.isEmpty)
        #expect(person.enterings.count == 1)
        #expect(try await device.registry.read() == before.0)
        #expect(try await device.vaultStore(of: profile.id).read() == before.1)
    }

    @Test("A cancelled task asks for neither the PIN nor biometrics")
    func cancelledTask() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        for order in AuthenticatorOrder.allCases {
            let person = ScriptedPerson(entering: [.pin(TestPin.right)])
            let auth = device.auth(profile, person, LocalAuthConfiguration(order: order))
            let result = try await inCancelledTask { try await auth.unlock(reason: reason) }
            #expect(result?.ending == .cancelled)
            #expect(person.enterings.isEmpty)
        }
        #expect(device.biometrics(of: profile.id).reasons.isEmpty)
    }

    @Test("During a wait the prompt shows it, and a PIN that arrives too soon is neither tested nor charged")
    func waits() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let clock = device.clock
        let person = ScriptedPerson(entering: [
            .pin(TestPin.wrong), .pin(TestPin.wrong), .pin(TestPin.wrong),
            .first { clock.advance(by: .seconds(10)) }, .pin(TestPin.right),
            .first { clock.advance(by: .seconds(20)) }, .pin(TestPin.right),
        ])
        #expect(try await device.auth(profile, person).unlock(reason: reason).ending == .unlocked(.pin))
        #expect(person.enterings.map(\.attempts.wait) == [nil, nil, nil, .seconds(30), .seconds(20)])
        #expect(person.enterings.map(\.attempts.failureCount) == [0, 1, 2, 3, 3])
        #expect(
            person.enterings.map(\.attempts.lastTry) == [
                nil, .wrong(triesLeft: 9, wait: nil), .wrong(triesLeft: 8, wait: nil),
                .wrong(triesLeft: 7, wait: .seconds(30)), .waiting(.seconds(20), triesLeft: 7),
            ])
    }

    @Test("An app that shows waits itself gets them as an outcome, and the user is not asked during a wait")
    func waitAsOutcome() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let configuration = LocalAuthConfiguration(showsWaits: false)
        let person = ScriptedPerson(entering: Array(repeating: .pin(TestPin.wrong), count: 4))
        let auth = device.auth(profile, person, configuration)
        #expect(try await auth.unlock(reason: reason).ending == .waiting(.seconds(30), triesLeft: 7))
        device.clock.advance(by: .seconds(12))
        #expect(try await auth.unlock(reason: reason).ending == .waiting(.seconds(18), triesLeft: 7))
        #expect(try await auth.changePin().ending == .waiting(.seconds(18), triesLeft: 7))
        #expect(person.enterings.count == 3)
        device.clock.advance(by: .seconds(18))
        #expect(try await auth.unlock(reason: reason).ending == .waiting(.seconds(300), triesLeft: 6))
    }

    @Test(
        "The last wrong PIN has the result of the policy, and then the user is not asked any more",
        arguments: [
            (LockoutPolicy.login, Ending.blocked(.newCredentials)), (.payment, .blocked(.newCredentials)),
            (.enterprise, .erased),
        ])
    func limit(policy: LockoutPolicy, ending: Ending) async throws {
        let device = SharedDevice(lockoutPolicy: policy)
        let profile = try await device.register().profile
        let clock = device.clock
        let person = ScriptedPerson(
            entering: (0..<policy.limit).flatMap { _ -> [ScriptedPerson.Entering] in
                [.first { clock.advance(by: .seconds(24 * 60 * 60)) }, .pin(TestPin.wrong)]
            })
        #expect(try await device.auth(profile, person).unlock(reason: reason).ending == ending)
        #expect(person.enterings.count == policy.limit)
        if ending == .erased {
            await #expect(throws: LocalAuthError.registry(.notRegistered)) {
                try await device.auth(profile, person).unlock(reason: reason)
            }
        } else {
            #expect(try await device.auth(profile, person).unlock(reason: reason).ending == ending)
            #expect(try await device.auth(profile, person).changePin().ending == ending)
        }
        #expect(person.enterings.count == policy.limit)
    }

    @Test(
        "A forgotten PIN is given up at once, without a charged attempt, with the result of the policy's limit",
        arguments: [
            (LockoutPolicy.login, Ending.blocked(.newCredentials)), (.payment, .blocked(.newCredentials)),
            (.wallet, .blocked(.newCredentials)), (.enterprise, .erased),
        ], [true, false])
    func forgotten(way: (policy: LockoutPolicy, ending: Ending), changesPin: Bool) async throws {
        let device = SharedDevice(lockoutPolicy: way.policy)
        let profile = try await device.register().profile
        let person = ScriptedPerson(entering: [.forget], creating: [.pin(TestPin.new)])
        let auth = device.auth(profile, person)
        let ending = changesPin ? try await auth.changePin().ending : try await auth.unlock(reason: reason).ending
        #expect(ending == way.ending)
        #expect(person.enterings.count == 1)
        #expect(person.creatings.isEmpty)
        if ending == .erased {
            #expect(try await device.possessions() == .none)
            #expect(try await device.profiles.all().isEmpty)
        } else {
            #expect(try await device.vaultStore(of: profile.id).failures() == 0)
            #expect(try await !device.vaultStore(of: profile.id).hasPinSlot())
            #expect(try await auth.unlock(reason: reason).ending == ending)
        }
    }

    @Test("A wipe deregisters the profile with the length of its PIN and all its keys, and no other profile")
    func wiped() async throws {
        let device = SharedDevice(lockoutPolicy: .enterprise)
        let profile = try await device.registerWithBiometrics()
        let kept = try await device.register("Bob").profile
        let open = try await device.profiles.vault(of: profile).unlock(TestPin.right)
        try await device.bind(profile.id, in: open)
        let person = ScriptedPerson(entering: [.forget])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(order: .pinFirst))
            .unlock(reason: reason)
        #expect(result.ending == .erased)
        #expect(result.events.isEmpty)
        #expect(try await device.possessions() == .init(vaults: 1))
        #expect(try await device.profiles.all() == [kept])
        #expect(try await device.entryCount() == 1)
    }

    @Test("If the rest of a wiped profile cannot be removed at once, the app learns it, and the next start removes it")
    func wipedPartly() async throws {
        let device = SharedDevice(lockoutPolicy: .enterprise)
        let profile = try await device.registerWithBiometrics()
        device.biometrics(of: profile.id).failKeyChanges(with: .interrupted)
        let person = ScriptedPerson(entering: [.forget])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(order: .pinFirst))
            .unlock(reason: reason)
        #expect(result.ending == .erased)
        #expect(result.events == [.profileNotRemoved(.biometrics(.interrupted))])
        #expect(try await device.possessions() == .init(biometricKeys: 1))
        device.biometrics(of: profile.id).failKeyChanges(with: nil)
        _ = try await device.profiles.resume()
        #expect(try await device.possessions() == .none)
        #expect(try await device.entryCount() == 0)
    }

    @Test(
        "A profile without its vault ends as missing, and keeps its registration and its keys",
        arguments: [true, false])
    func vaultMissing(whileTyping: Bool) async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let open = try await device.profiles.vault(of: profile).unlock(TestPin.right)
        try await device.bind(profile.id, in: open)
        let store = device.vaultStore(of: profile.id)
        let remove: @Sendable () async -> Void = {
            await #expect(throws: Never.self) { try await store.erase() }
        }
        if !whileTyping { await remove() }
        let person = ScriptedPerson(entering: [.first(remove), .pin(TestPin.right)])
        let result = try await device.auth(profile, person, LocalAuthConfiguration(order: .pinFirst))
            .unlock(reason: reason)
        #expect(result.ending == .missing)
        #expect(result.events.isEmpty)
        #expect(person.enterings.count == (whileTyping ? 1 : 0))
        #expect(try await device.auth(profile, person).changePin().ending == .missing)
        #expect(try await device.profiles.all().count == 1)
        #expect(try await device.possessions() == .init(deviceKeys: 2, biometricKeys: 1))
        // Deregistering resolves this state.
        try await device.profiles.deregister(profile.id)
        #expect(try await device.possessions() == .none)
    }

    @Test("An empty box from a prompt is a named defect, and charges no attempt")
    func emptyBox() async throws {
        let device = SharedDevice()
        let profile = try await device.register().profile
        let auth = device.auth(profile, ScriptedPerson(entering: [.emptyBox, .emptyBox]))
        await #expect(throws: LocalAuthError.emptyPinBox) { try await auth.unlock(reason: reason) }
        await #expect(throws: ChangePinError.emptyPinBox) { try await auth.changePin() }
        #expect(try await device.profiles.vault(of: profile).state() == .ready(triesLeft: 10))
    }

    @Test("Unreadable data is an error, shows no prompt and deregisters no profile")
    func unreadable() async throws {
        let device = SharedDevice()
        let profile = try await device.registerWithBiometrics()
        let unavailable = StoreError(.unavailable)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)])
        let auth = device.auth(profile, person)
        device.registry.fail(at: 0, .before)
        await #expect(throws: LocalAuthError.registry(RegistryError(.profiles, unavailable))) {
            try await auth.unlock(reason: reason)
        }
        await #expect(throws: LocalAuthError.registry(RegistryError(.profiles, unavailable))) {
            try await auth.authenticators()
        }
        for call in 1...3 {
            device.registry.fail(at: call, .before)
            await #expect(throws: LocalAuthError.vault(.store(unavailable))) { try await auth.unlock(reason: reason) }
        }
        device.registry.repair()
        let store = device.vaultStore(of: profile.id)
        let revision = try #require(try await store.read()).revision
        try await store.replace(StoredRecord(revision: revision + 1, bytes: [1, 2, 3]), expecting: revision)
        await #expect(throws: LocalAuthError.vault(.corrupt)) { try await auth.unlock(reason: reason) }
        await #expect(throws: LocalAuthError.vault(.corrupt)) { try await auth.authenticators() }
        #expect(person.enterings.isEmpty)
        #expect(try await device.profiles.all().map(\.id) == [profile.id])
    }

    @Test("A profile that is not registered gets no prompt")
    func notRegistered() async throws {
        let device = SharedDevice()
        let (profile, open) = try await device.register()
        try await device.profiles.deregister(profile.id)
        let person = ScriptedPerson(entering: [.pin(TestPin.right)], creating: [.pin(TestPin.new)])
        let auth = device.auth(profile, person)
        await #expect(throws: LocalAuthError.registry(.notRegistered)) { try await auth.unlock(reason: reason) }
        await #expect(throws: LocalAuthError.registry(.notRegistered)) { try await auth.authenticators() }
        await #expect(throws: LocalAuthError.registry(.notRegistered)) { try await auth.biometricAvailability() }
        await #expect(throws: ChangePinError.registry(.notRegistered)) { try await auth.changePin() }
        await #expect(throws: SetPinError.registry(.notRegistered)) {
            try await auth.setPin(in: open, after: .checkedByApp())
        }
        #expect(person.enterings.isEmpty && person.creatings.isEmpty)
    }
}
