import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device crashes before or after any call of the vault's store; then it starts again.
@Suite("Crash matrix of the vault")
struct VaultCrashTests {
    enum Operation: CaseIterable {
        case create, unlockRight, unlockWrong, lastWrong, changePin, changeWrongPin, set, replace, remove
        case raiseKeyDerivation, setUpBiometrics, renewBiometrics, removeBiometrics, setUpRecovery, removeRecovery
        case recover, setPin, giveUp, lockWallet, wipe, erase

        var policy: LockoutPolicy {
            switch self {
            case .lockWallet, .recover: .wallet
            case .wipe: .enterprise
            default: .login
            }
        }

        var failuresBefore: Int {
            switch self {
            case .lastWrong, .lockWallet, .wipe: 9
            case .setPin: 10
            default: 2
            }
        }

        /// The PINs that may open the vault after a crash. One of them must, unless the operation may end the PIN or
        /// the vault.
        var possiblePins: Set<String> {
            switch self {
            case .changePin, .recover: [TestPin.right, TestPin.new]
            case .setPin: [TestPin.new]
            default: [TestPin.right]
            }
        }

        /// Whether the PIN, or the vault, may have ended after the crash.
        var mayEndPin: Bool { [.lastWrong, .setPin, .giveUp, .lockWallet, .wipe, .erase].contains(self) }
        var mayEndVault: Bool { [.create, .wipe, .erase].contains(self) }
        var mayEndBiometrics: Bool { [.removeBiometrics, .lockWallet, .recover].contains(self) }
        var mayEndRecovery: Bool { self == .removeRecovery }
        var clearsCount: Bool { [.unlockRight, .changePin, .raiseKeyDerivation, .recover, .setPin].contains(self) }
    }

    private static let secrets = ["wallet": "seed", "token": "old"]

    @Test(
        "After a crash at any point only the right PIN opens the same secrets, and no wrong attempt is forgotten",
        arguments: Operation.allCases, StoreKind.allCases)
    func crash(operation: Operation, kind: StoreKind) async throws {
        let rehearsal = try await Scene(operation, kind)
        rehearsal.store.repair()
        _ = await rehearsal.run(operation)
        let callCount = rehearsal.store.callCount
        let points = try await CrashPoint.forEach(of: callCount) { point in
            let scene = try await Scene(operation, kind)
            scene.store.fail(at: point.call, point.fault)
            let error = await scene.run(operation)
            // Raising the key derivation is optional: the unlock succeeds without it.
            #expect(
                error != nil || operation == .raiseKeyDerivation, "\(operation) did not notice a crash \(point)")
            scene.store.repair()
            try await check(scene, operation, "\(operation), crash \(point)")
        }
        print("crash matrix: \(operation) over \(kind): \(points) points")
        #expect(points >= 2)
    }

    /// The vault before the operation, with all of its slots.
    private struct Scene {
        let place: TestStore
        let store: FaultyStore
        let keyring = ScriptedBiometrics()
        let vault: Vault
        let open: OpenVault?

        init(_ operation: Operation, _ kind: StoreKind) async throws {
            (place, store) = kind.makeFaulty()
            let clock = ManualClock()
            vault = .forTests(
                store, clock: clock, policy: operation.policy, biometrics: keyring,
                keyDerivation: operation == .raiseKeyDerivation ? .pbkdf2(iterations: 2) : .cheap)
            guard operation != .create else {
                open = nil
                return
            }
            let setUp = Vault.forTests(place.store, clock: clock, policy: operation.policy, biometrics: keyring)
            let first = try await setUp.create(TestPin.right)
            for (name, text) in VaultCrashTests.secrets { try await first.set(text, named: name) }
            if operation != .setUpRecovery { try await first.setUpRecovery(TestPhrase.right) }
            if operation != .setUpBiometrics { try await first.setUpBiometrics() }
            let byPin = operation == .raiseKeyDerivation ? nil : try await vault.unlock(TestPin.right)
            for _ in 0..<operation.failuresBefore {
                await #expect(throws: UnlockError.self) { try await setUp.unlock(TestPin.wrong) }
                clock.advance(by: .seconds(3600))
            }
            open = operation == .setPin ? try await vault.unlockWithBiometrics(reason: "reason") : byPin
            store.repair()
        }

        func run(_ operation: Operation) async -> (any Error)? {
            do {
                switch operation {
                case .create: try await vault.create(TestPin.right)
                case .unlockRight: try await vault.unlock(TestPin.right)
                case .unlockWrong, .lastWrong: try await vault.unlock(TestPin.wrong)
                case .changePin: try await vault.changePin(TestPin.right, to: TestPin.new)
                case .changeWrongPin: try await vault.changePin(TestPin.wrong, to: TestPin.new)
                case .set: try await open?.set("more", named: "other")
                case .replace: try await open?.set("new", named: "token")
                case .remove: try await open?.remove([SecretName(unchecked: "token"), SecretName(unchecked: "wallet")])
                case .raiseKeyDerivation: try await vault.unlock(TestPin.right)
                case .setUpBiometrics, .renewBiometrics: try await open?.setUpBiometrics()
                case .removeBiometrics: try await open?.removeBiometrics()
                case .setUpRecovery: try await open?.setUpRecovery(TestPhrase.right)
                case .removeRecovery: try await open?.removeRecovery()
                case .recover: try await vault.recover(TestPhrase.right, newPin: TestPin.new)
                case .setPin: try await open?.setPin(TestPin.new)
                case .giveUp: _ = try await vault.giveUpPin()
                case .lockWallet, .wipe: try await vault.unlock(TestPin.wrong)
                case .erase: try await vault.erase()
                }
                return nil
            } catch {
                return error
            }
        }
    }

    private func check(_ scene: Scene, _ operation: Operation, _ situation: Comment) async throws {
        let state = try await scene.vault.state()
        guard let record = try await scene.place.store.read(), state != .erased else {
            #expect(operation.mayEndVault, situation)
            #expect(state == (operation == .wipe ? .erased : .absent), situation)
            try await scene.vault.create(TestPin.right)
            return
        }
        let failures = try await scene.place.store.failures()
        let before = operation == .create ? 0 : operation.failuresBefore
        #expect(
            (before...before + 1).contains(failures) || operation.clearsCount && failures == 0,
            "\(situation): \(failures) failures after \(before)")

        // A copy for each attempt, so that no attempt counts against another, after any wait.
        func copy() -> Vault {
            let copy = MemoryStore(recordKey: scene.place.store.recordKey)
            copy.plant(record)
            let clock = ManualClock(uptime: .seconds(1_000_000))
            return .forTests(copy, clock: clock, policy: operation.policy, biometrics: scene.keyring)
        }
        var opened: [OpenVault] = []
        // Biometrics come first: if a wrong PIN erases a copy, the keyring loses its keys, which all copies share.
        if operation != .create {
            if let open = try? await copy().unlockWithBiometrics(reason: "reason") {
                opened.append(open)
            } else {
                #expect(operation.mayEndBiometrics || operation == .setUpBiometrics, situation)
            }
            let credentials = FullCredentials.checkedByApp()
            if let open = try? await copy().recover(TestPhrase.right, newPin: TestPin.newest, after: credentials) {
                opened.append(open)
            } else {
                #expect(operation.mayEndRecovery || operation == .setUpRecovery, situation)
            }
        }
        var pins: Set<String> = []
        for pin in [TestPin.right, TestPin.new, TestPin.wrong] {
            guard let open = try? await copy().unlock(pin) else { continue }
            pins.insert(pin)
            opened.append(open)
        }
        if pins.isEmpty {
            #expect(operation.mayEndPin, situation)
            let state = try await copy().state()
            let unblocking: Unblocking = operation == .lockWallet ? .recoveryPhrase : .newCredentials
            #expect(state == .blocked(unblocking), situation)
        } else {
            #expect(pins.count == 1 && pins.isSubset(of: operation.possiblePins), situation)
        }
        for open in opened {
            let secrets = try await open.texts()
            #expect(possibleSecrets(after: operation).contains(secrets), situation)
        }
    }

    /// The secrets before and after the operation.
    private func possibleSecrets(after operation: Operation) -> [[String: String]] {
        let before = Self.secrets
        return switch operation {
        case .create: [[:]]
        case .set: [before, before.merging(["other": "more"]) { $1 }]
        case .replace: [before, before.merging(["token": "new"]) { $1 }]
        case .remove: [before, [:]]
        default: [before]
        }
    }
}
