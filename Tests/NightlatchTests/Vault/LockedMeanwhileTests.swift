import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

@Suite("Locking an open vault during a call")
struct LockedMeanwhileTests {
    enum Operation: CaseIterable {
        case set, remove, read, names, setUpBiometrics, removeBiometrics, setUpRecovery, removeRecovery
    }

    private struct Scene {
        let store = RecordingStore(MemoryStore())
        let open: OpenVault

        init() async throws {
            let vault = Vault.forTests(store, biometrics: ScriptedBiometrics())
            open = try await vault.create(TestPin.right)
            try await open.set("seed", named: "wallet")
            try await open.setUpBiometrics()
            try await open.setUpRecovery(TestPhrase.right)
            store.interrupt(at: .max) {}
        }

        func run(_ operation: Operation) async throws {
            switch operation {
            case .set: try await open.set("more", named: "other")
            case .remove: try await open.remove([SecretName(unchecked: "wallet")])
            case .read: _ = try await open.text(named: "wallet")
            case .names: _ = try await open.names()
            case .setUpBiometrics: try await open.setUpBiometrics()
            case .removeBiometrics: try await open.removeBiometrics()
            case .setUpRecovery: try await open.setUpRecovery(TestPhrase.wrong)
            case .removeRecovery: try await open.removeRecovery()
            }
        }
    }

    @Test("At any call of the store, the operation throws that the vault is locked", arguments: Operation.allCases)
    func throwsLocked(operation: Operation) async throws {
        let rehearsal = try await Scene()
        try await rehearsal.run(operation)
        let callCount = rehearsal.store.callCount
        try #require(callCount > 0)
        for call in 0..<callCount {
            let scene = try await Scene()
            let writeCount = scene.store.written.count
            scene.store.interrupt(at: call) { await scene.open.lock() }
            do {
                try await scene.run(operation)
                Issue.record("call \(call): it returned as if it were open")
            } catch {
                #expect(Self.isLocked(error), "call \(call): \(error)")
            }
            // The write in progress may complete, but no later one.
            #expect(scene.store.written.count <= writeCount + 1, "call \(call)")
            if call == 0 { #expect(scene.store.written.count == writeCount) }
        }
    }

    @Test("A change of PIN that is complete returns, and its vault is locked")
    func changedPin() async throws {
        let scene = try await Scene()
        scene.store.interrupt(at: 2) { await scene.open.lock() }
        try await scene.open.changePin(to: try Pin(digits: SecretBytes(copying: Array(TestPin.new.utf8))))
        #expect(await scene.open.isLocked)
        try await Vault.forTests(scene.store).unlock(TestPin.new)
    }

    @Test("A vault whose time ends while its record is read returns nothing")
    func timeIsUp() async throws {
        let clock = DeafClock()
        let store = RecordingStore(MemoryStore())
        let vault = Vault(
            store: store, clock: clock,
            configuration: VaultConfiguration(
                keyDerivation: .cheap, keyDerivationBounds: .forTests,
                autoLock: AutoLock(unused: .seconds(60), inBackground: .zero)))
        let open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        store.interrupt(at: 0) { clock.advance(by: .seconds(60)) }
        await #expect(throws: VaultError.locked) { try await open.text(named: "wallet") }
    }

    private static func isLocked(_ error: any Error) -> Bool {
        switch error {
        case VaultError.locked, BiometricSetupError.vault(.locked), RecoverySetupError.vault(.locked): true
        default: false
        }
    }
}

/// A clock that wakes no sleeper: the next call notices that the time has ended.
private struct DeafClock: LockoutClock {
    private let time = Shared(Duration.seconds(3600))

    func continuousTime() -> Duration { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    func sleep(until deadline: Duration) async throws(CancellationError) {
        // Ends only when the task is cancelled.
        let (nothing, end) = AsyncStream<Void>.makeStream()
        for await _ in nothing {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }
}
