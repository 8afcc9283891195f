import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("A store that refuses every write")
struct StubbornStoreTests {
    enum Operation: CaseIterable {
        case unlock, unlockWrongly, giveUp, rebasedWait, changePin, set, remove, setUpBiometrics, removeBiometrics
        case setUpRecovery, removeRecovery, register, rename, claim

        /// The operations that need an existing record.
        static var onARecord: [Operation] { allCases.filter { $0 != .register && $0 != .claim } }
    }

    private struct Scene {
        let store = StubbornStore()
        let registry = StubbornStore()
        let logins = StubbornStore()
        let clock = ManualClock()
        let keyring = ScriptedBiometrics()
        let vault: Vault
        let open: OpenVault
        let profiles: Profiles
        let profile: Profile

        init() async throws {
            vault = .forTests(store, clock: clock, biometrics: keyring)
            open = try await vault.create(TestPin.right)
            try await open.set("seed", named: "wallet")
            try await open.setUpBiometrics()
            try await open.setUpRecovery(TestPhrase.right)
            profiles = Profiles(registry: registry, deviceKeys: nil) { _ in .forTests(MemoryStore()) }
            let outcome = try await profiles.register(
                ProfileName(unchecked: "Alice"), prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
            guard case .registered(let profile, _) = outcome else { throw StoreError(.unavailable) }
            self.profile = profile
        }

        func prepare(_ operation: Operation) async throws {
            guard operation == .rebasedWait else { return }
            for _ in 0..<3 { await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) } }
            clock.reboot()
        }

        func become(_ mood: StubbornStore.Mood) {
            for store in [store, registry, logins] { store.become(mood) }
        }

        var refusals: Int { store.refusals + registry.refusals + logins.refusals }

        func run(_ operation: Operation) async throws {
            switch operation {
            case .unlock: try await vault.unlock(TestPin.right)
            case .unlockWrongly: try await vault.unlock(TestPin.wrong)
            case .giveUp: _ = try await vault.giveUpPin()
            case .rebasedWait: _ = try await vault.state()
            case .changePin: try await vault.changePin(TestPin.right, to: TestPin.new)
            case .set: try await open.set("more", named: "other")
            case .remove: try await open.remove([SecretName(unchecked: "wallet")])
            case .setUpBiometrics: try await open.setUpBiometrics()
            case .removeBiometrics: try await open.removeBiometrics()
            case .setUpRecovery: try await open.setUpRecovery(TestPhrase.wrong)
            case .removeRecovery: try await open.removeRecovery()
            case .register:
                _ = try await profiles.register(
                    ProfileName(unchecked: "Bob"), prompt: ScriptedPerson(creating: [.pin(TestPin.right)]))
            case .rename: try await profiles.rename(profile.id, to: ProfileName(unchecked: "Alicia"))
            case .claim:
                let relyingParty = ScriptedRelyingParty()
                let login = BiometricLogin(
                    store: logins, relyingParty: relyingParty, keys: SoftwareDeviceKeys { _ in MemoryStore() })
                try await login.enable(
                    open, code: await relyingParty.issueCode(), deviceName: DeviceName(unchecked: "Phone"))
            }
        }
    }

    @Test(
        "A record that is found, but whose replacement is refused, ends as unavailable after few tries",
        arguments: Operation.onARecord)
    func refuses(operation: Operation) async throws {
        let scene = try await Scene()
        try await scene.prepare(operation)
        let before = try await (scene.store.base.read(), scene.registry.base.read())
        scene.become(.refuses)
        let error = try await failure(of: operation, in: scene)
        guard case .contradiction(found: .some) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(scene.refusals == 8)
        #expect(try await (scene.store.base.read(), scene.registry.base.read()) == before)
    }

    @Test("If a read finds no record, but a new one is refused as existing, the result is unavailable")
    func hides() async throws {
        let scene = try await Scene()
        scene.become(.hides)
        for operation in [Operation.register, .rename, .claim] {
            if operation == .rename {
                await #expect(throws: RegistryError.notRegistered) { try await scene.run(operation) }
                continue
            }
            // The vault works, because only a bound vault can claim the account.
            if operation == .claim { scene.store.become(.works) }
            let before = scene.refusals
            let error = try await failure(of: operation, in: scene)
            guard case .contradiction(found: nil) = error.reason else {
                Issue.record("\(operation): \(error)")
                continue
            }
            #expect(scene.refusals - before == 8)
        }
        scene.become(.works)
        #expect(try await scene.profiles.all().map(\.name.rawValue) == ["Alice"])
    }

    @Test("A vault that is neither found nor created is unavailable, and the error describes the contradiction")
    func create() async throws {
        let scene = try await Scene()
        scene.store.become(.hides)
        #expect(try await scene.vault.state() == .absent)
        let error = await #expect(throws: CreateVaultError.self) { try await scene.vault.create("739104") }
        guard case .vault(let failure) = error, let refused = failure.cause as? StoreError else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refused.code == .unavailable)
        #expect(refused.reason == .contradiction(found: nil))
        scene.store.become(.works)
        try await scene.vault.unlock(TestPin.right)
    }

    @Test(
        "A caller that another overtakes at each try gives up, and waits longer between tries",
        arguments: [Operation.set, .rename])
    func overtaken(operation: Operation) async throws {
        let scene = try await Scene()
        overtake(scene)
        let waits = CountedWaits()
        let error = try await failure(of: operation, in: scene, waits)
        #expect(error.reason == .overtaken(times: 256))
        #expect(scene.refusals == 256)
        #expect(waits.count == 254)
        #expect(try #require(waits.longest) <= .milliseconds(64))
    }

    @Test("A cancelled caller gives up at the next conflict", arguments: [Operation.set, .rename, .removeRecovery])
    func cancelled(operation: Operation) async throws {
        let scene = try await Scene()
        overtake(scene)
        let error = try await inCancelledTask { try await failure(of: operation, in: scene) }
        #expect(error?.reason == .cancelled)
        #expect(scene.refusals == 1)
    }

    @Test("A right PIN of a cancelled caller is not left charged after a conflict")
    func settled() async throws {
        let scene = try await Scene()
        let store = RecordingStore(scene.store.base)
        let other = Vault.forTests(scene.store.base)
        let open = try await other.unlock(TestPin.right)
        let vault = Vault.forTests(store)
        let unlocking = Shared<Task<Void, any Error>?>(nil)
        // The charge is the second call, the verdict the fourth.
        store.interrupt(at: 3) {
            unlocking.withLock { $0?.cancel() }
            await #expect(throws: Never.self) { try await open.set("beside", named: "other") }
        }
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in started {}
            _ = try await vault.unlock(TestPin.right)
        }
        unlocking.withLock { $0 = task }
        start.finish()
        try await task.value
        #expect(try await scene.store.failures() == 0)
    }

    private func overtake(_ scene: Scene) {
        let other = Vault.forTests(scene.store.base, clock: scene.clock, biometrics: scene.keyring)
        let profiles = Profiles(registry: scene.registry.base, deviceKeys: nil) { _ in .forTests(MemoryStore()) }
        let (profile, count) = (scene.profile.id, Shared(0))
        scene.become(
            .isOvertaken {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // In a task that is not cancelled with the caller's.
                let task = Task {
                    try await other.unlock(TestPin.right)
                    try await profiles.rename(profile, to: ProfileName(unchecked: "\(number)"))
                }
                await #expect(throws: Never.self) { try await task.value }
            })
    }

    /// The store's error, unwrapped from the error of the operation.
    private func failure(
        of operation: Operation,
        in scene: Scene,
        _ waits: CountedWaits = CountedWaits()
    ) async throws -> StoreError {
        do {
            try await waits.run { try await scene.run(operation) }
        } catch {
            return try #require(Self.storeError(in: error), "\(operation): \(error)")
        }
        Issue.record("\(operation) was taken for done")
        throw StoreError(.corrupt)
    }

    private static func storeError(in value: Any) -> StoreError? {
        if let error = value as? StoreError { return error }
        return Mirror(reflecting: value).children.lazy.compactMap { storeError(in: $0.value) }.first
    }
}
