import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Registration")
struct RegistrationTests {
    private let name = ProfileName(unchecked: "Alice")

    @Test("The prompt for a new PIN has the policy and all objections to the previous PIN")
    func objections() async throws {
        let device = SharedDevice()
        let policy = try PinPolicy(lengths: 6...8)
        let person = ScriptedPerson(creating: [.pin("1221"), .pin("123456"), .pin(TestPin.right)])
        let outcome = try await device.profiles.register(name, pinPolicy: policy, prompt: person)
        guard case .registered(let profile, _) = outcome else {
            Issue.record("not registered")
            return
        }
        #expect(
            person.creatings.map(\.objections) == [
                [], [.length(allowed: 6...8), .common(.palindrome), .common(.date)], [.common(.run)],
            ])
        #expect(person.creatings.allSatisfy { $0.policy == policy && $0.purpose == .registration })
        #expect(person.creatings.allSatisfy { $0.profile.id == profile.id && $0.profile.name == name })
        #expect(person.enterings.isEmpty)
    }

    @Test("Cancelling is its own outcome, and leaves nothing", arguments: [[], ["111111"]])
    func cancelled(refused: [String]) async throws {
        let device = SharedDevice()
        let person = ScriptedPerson(creating: refused.map { .pin($0) } + [.cancel])
        guard case .cancelled = try await device.profiles.register(name, prompt: person) else {
            Issue.record("not cancelled")
            return
        }
        #expect(person.creatings.count == refused.count + 1)
        #expect(try await device.registry.read() == nil)
        #expect(try await device.possessions() == .none)
    }

    @Test("A cancelled task shows no prompt")
    func cancelledTask() async throws {
        let device = SharedDevice()
        let person = ScriptedPerson(creating: [.pin(TestPin.right)])
        let outcome = try await inCancelledTask { try await device.profiles.register(name, prompt: person) }
        guard case .cancelled = outcome else {
            Issue.record("not cancelled")
            return
        }
        #expect(person.creatings.isEmpty)
    }

    @Test("An empty box from a prompt is a named defect, and leaves nothing")
    func emptyBox() async throws {
        let device = SharedDevice()
        await #expect(throws: RegistrationError<Never>.emptyPinBox) {
            try await device.profiles.register(name, prompt: ScriptedPerson(creating: [.emptyBox]))
        }
        #expect(try await device.registry.read() == nil)
    }

    @Test("During the app's part the vault is open and the profile is not listed; afterwards it is listed")
    func completion() async throws {
        let device = SharedDevice()
        let outcome = try await device.profiles.register(
            name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)])
        ) { profile, open in
            #expect(try await device.profiles.all().isEmpty)
            #expect(try await device.profiles.profile(profile.id) == nil)
            await #expect(throws: RegistryError.notRegistered) {
                try await device.profiles.rename(profile.id, to: name)
            }
            try await open.set("seed", named: "wallet")
            try await device.bind(profile.id, in: open)
        }
        guard case .registered(let profile, let open) = outcome else {
            Issue.record("not registered")
            return
        }
        #expect(try await device.profiles.all() == [profile])
        #expect(try await open.text(named: "wallet") == "seed")
        #expect(try await open.deviceBinding() != nil)
        #expect(try await device.possessions() == .init(vaults: 1, deviceKeys: 2))
    }

    @Test(
        "If the app's part fails, nothing of the profile remains, not even device keys, and the app's error is thrown")
    func failedCompletion() async throws {
        struct Refused: Error, Hashable {
            let code: Int
        }
        let device = SharedDevice()
        let kept = try await device.register("Bob").profile
        await #expect(throws: RegistrationError.completion(Refused(code: 7))) {
            try await device.profiles.register(
                name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)])
            ) { (profile, open) async throws(Refused) in
                do {
                    try await device.bind(profile.id, in: open)
                } catch {
                    Issue.record(error)
                }
                throw Refused(code: 7)
            }
        }
        #expect(try await device.possessions() == .init(vaults: 1))
        #expect(try await device.profiles.all() == [kept])
    }

    @Test("A factory that returns another profile's vault is detected, and that vault stays as it was")
    func sameStore() async throws {
        let store = MemoryStore()
        let profiles = Profiles(registry: MemoryStore(), deviceKeys: nil) { _ in .forTests(store) }
        guard
            case .registered(let profile, _) = try await profiles.register(
                name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
        else {
            Issue.record("not registered")
            return
        }
        let before = try await store.read()
        let person = ScriptedPerson(creating: [.pin(TestPin.new)])
        await #expect(throws: RegistrationError<Never>.vaultExists) {
            try await profiles.register(name, prompt: person)
        }
        // Another caller made it while the user chose a PIN.
        let late = ScriptedPerson(creating: [.first { store.plant(before) }, .pin(TestPin.new)])
        store.plant(nil)
        await #expect(throws: RegistrationError<Never>.vaultExists) {
            try await profiles.register(name, prompt: late)
        }
        #expect(person.creatings.isEmpty)
        #expect(try await store.read() == before)
        #expect(try await profiles.all() == [profile])
    }

    @Test("A registration that another process has undone fails and leaves nothing")
    func undone() async throws {
        let device = SharedDevice()
        @Sendable func interfere(_ profile: Profile, _ open: OpenVault) async throws {
            let resumed = try await device.profiles.resume()
            #expect(resumed.map(\.cause) == [.registrationCutOff])
            #expect(resumed.map(\.id) == [profile.id])
            // The profile gets no key any more.
            await #expect(throws: (any Error).self) { try await device.bind(profile.id, in: open) }
        }
        do {
            _ = try await device.profiles.register(
                name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)]), completing: interfere)
            Issue.record("registered")
        } catch {
            guard case .undone = error else { throw error }
        }
        #expect(try await device.profiles.all().isEmpty)
        #expect(try await device.possessions() == .none)
    }

    @Test("A vault that is made after another process has undone the registration is removed")
    func undoneBeforeVault() async throws {
        let registry = MemoryStore()
        let store = RecordingStore(MemoryStore())
        let profiles = Profiles(registry: registry, deviceKeys: nil) { _ in .forTests(store) }
        // The vault's store is read for its state and again before it is written.
        store.interrupt(at: 2) {
            do {
                #expect(try await profiles.resume().map(\.cause) == [.registrationCutOff])
            } catch {
                Issue.record(error)
            }
        }
        await #expect(throws: RegistrationError<Never>.undone) {
            try await profiles.register(name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
        }
        #expect(store.written.count == 1)
        #expect(try await store.read() == nil)
        #expect(try await profiles.all().isEmpty)
        #expect(try await registry.json()["profiles"] == .array([]))
    }

    @Test(
        "If the registry fails for a moment, nothing of the registration remains once it works again",
        arguments: 5...6, FaultyStore.Fault.allCases)
    func momentaryFailure(call: Int, fault: FaultyStore.Fault) async throws {
        let device = SharedDevice()
        let registry = PartlyBrokenStore(device.registry, brokenCalls: call..<call + 1, fault)
        let profiles = Profiles(registry: registry, deviceKeys: nil, remembersPinLengths: true) {
            device.profiles.vault(of: $0)
        }
        // The registry's calls are: two reads to check for room, since the first finds no record; two reads and a write
        // for the intention; a read and a write to complete the registration.
        await #expect(throws: RegistrationError<Never>.registry(RegistryError(.profiles, StoreError(.unavailable)))) {
            try await profiles.register(name, prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
        }
        #expect(try await device.entryCount() == 0)
        #expect(try await device.possessions() == .none)
    }

    @Test("If the registry or a store cannot be read, the user is not asked for a PIN")
    func unreadable() async throws {
        let device = SharedDevice()
        for call in 0...2 {
            let person = ScriptedPerson(creating: [.pin(TestPin.right)])
            device.registry.fail(at: call, .before)
            await #expect(throws: RegistrationError<Never>.self) {
                try await device.profiles.register(name, prompt: person)
            }
            #expect(person.creatings.isEmpty)
        }
        device.registry.repair()
        #expect(try await device.registry.read() == nil)
    }
}
