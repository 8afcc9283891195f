import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// The device dies before or after any call of the vault's store; then it starts again.
@Suite("Crash matrix of the vault")
struct VaultCrashTests {
    enum Operation: CaseIterable {
        case create, unlockRight, unlockWrong, lastWrong, changePin, changeWrongPin, set, replace, remove
    }

    private static let secrets = ["wallet": "seed", "token": "old"]

    @Test(
        "After a crash at any point the right PIN opens the same secrets, no other does, and no failure is forgotten",
        arguments: Operation.allCases, StoreKind.allCases)
    func crash(operation: Operation, kind: StoreKind) async throws {
        let rehearsal = try await Scene(operation, kind)
        rehearsal.store.repair()
        _ = await rehearsal.run(operation)
        let callCount = rehearsal.store.callCount
        let points = try await CrashPoint.forEach(of: callCount) { point in
            let scene = try await Scene(operation, kind)
            scene.store.fail(at: point.call, point.fault)
            #expect(await scene.run(operation) != nil, "\(operation) did not notice a crash \(point)")
            scene.store.repair()
            try await check(scene, operation, "\(operation), crash \(point)")
        }
        print("crash matrix: \(operation) over \(kind): \(points) points")
        #expect(points >= 2)
    }

    /// A vault as it stands before the operation.
    private struct Scene {
        let place: TestStore
        let store: FaultyStore
        let vault: Vault
        let open: OpenVault?
        let failuresBefore: Int

        init(_ operation: Operation, _ kind: StoreKind) async throws {
            place = kind.make()
            store = FaultyStore(place.store)
            let clock = ManualClock()
            vault = .forTests(store, clock: clock)
            guard operation != .create else {
                (open, failuresBefore) = (nil, 0)
                return
            }
            open = try await vault.create(TestPin.right)
            for (name, text) in VaultCrashTests.secrets { try await open?.set(text, named: name) }
            failuresBefore = operation == .lastWrong ? 9 : 2
            for _ in 0..<failuresBefore {
                await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }
                clock.advance(by: .seconds(1800))
            }
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
                }
                return nil
            } catch {
                return error
            }
        }
    }

    private func check(_ scene: Scene, _ operation: Operation, _ situation: Comment) async throws {
        guard try await scene.place.store.read() != nil else {
            #expect(operation == .create, situation)
            #expect(try await scene.vault.state() == .absent, situation)
            try await scene.vault.create(TestPin.right)
            return
        }
        let failures = try await scene.place.store.failures()
        let isCleared = [.unlockRight, .changePin].contains(operation) && failures == 0
        #expect(
            isCleared || (scene.failuresBefore...scene.failuresBefore + 1).contains(failures),
            "\(situation): \(failures) failures after \(scene.failuresBefore)")

        var secrets: [[String: String]] = []
        var pins: [String] = []
        for pin in [TestPin.right, TestPin.new, TestPin.wrong] {
            // A copy for each, so that none is counted against another; long after any wait.
            let copy = MemoryStore()
            copy.plant(try await scene.place.store.read())
            let clock = ManualClock(uptime: .seconds(1_000_000))
            guard let open = try? await Vault.forTests(copy, clock: clock).unlock(pin) else { continue }
            pins.append(pin)
            secrets.append(try await open.texts())
        }
        if failures >= 10 {
            #expect(pins.isEmpty, situation)
            #expect(try await scene.vault.state() == .blocked(.newCredentials), situation)
            return
        }
        #expect(pins.count == 1, situation)
        #expect(operation == .changePin ? pins != [TestPin.wrong] : pins == [TestPin.right], situation)
        #expect(secrets.allSatisfy(possibleSecrets(after: operation).contains), situation)
    }

    /// The secrets as they were, and as they should be.
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
