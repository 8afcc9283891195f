import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the steps of the article, and interrupts them at every point.
@Suite("Migrating from LocalAuthentication alone")
struct FaceMigrationTests {
    @Test("An owner who is not recognised sets no PIN, and nothing moves")
    func stranger() async throws {
        let scene = Scene(recognisesOwner: false)
        #expect(try await scene.migration.begin(newPin: Pin(TestPin.right)) == nil)
        #expect(try await scene.migration.stage() == .notBegun)
        #expect(scene.old.items.all == Scene.secrets)
    }

    @Test("An app without old secrets has nothing to move, and items that cannot be read are an error")
    func stages() async throws {
        let scene = Scene()
        scene.old.items.fail(at: 0)
        await #expect(throws: OldItems.Unavailable.self) { try await scene.migration.stage() }
        scene.old.items.fail(at: nil)
        try scene.old.remove()
        #expect(try await scene.migration.stage() == .nothingToMove)
    }

    @Test("A sensor that cannot be used costs nothing: the PIN opens the vault")
    func noSensor() async throws {
        let scene = Scene()
        let sensor = ScriptedBiometrics()
        sensor.set(.noHardware)
        let open = try #require(try await scene.migration.begin(newPin: Pin(TestPin.right)))
        #expect(try await !offerFace(sensor, in: open))
        #expect(try await scene.vault.unlock(TestPin.right).texts() == Scene.secrets)
    }

    @Test("After a crash at any call of the vault's store every secret exists, and the next start completes the move")
    func crashOfTheVault() async throws {
        try await Scene.crashAtEachStoreCall(atLeast: 20) { Scene() }
    }

    @Test("After a crash at any old item every secret exists, and the next start completes the move")
    func crashOfTheItems() async throws {
        try await Scene.crashAtEachOldItem(atLeast: 5) { Scene() }
    }

    /// An app that asks for a face and then reads its items.
    private struct Scene: MigrationScene {
        static let secrets = ["seed": "horse", "token": "old"]

        let old: FaceItems
        let store = FaultyStore(MemoryStore())

        init(recognisesOwner: Bool = true) {
            old = FaceItems(items: OldItems(Self.secrets), isOwner: recognisesOwner)
        }

        var vault: Vault { .forTests(store, biometrics: ScriptedBiometrics()) }

        var faultyStore: FaultyStore { store }
        var oldItems: OldItems { old.items }

        var migration: FaceMigration { FaceMigration(vault: vault, old: old, secrets: ["seed", "token"]) }

        /// The app's actions at its start.
        func proceed() async throws {
            switch try await migration.stage() {
            case .nothingToMove, .done: break
            case .notBegun: _ = try await migration.begin(newPin: Pin(TestPin.right))
            case .cutOff: try await migration.finish(in: try await vault.unlock(TestPin.right))
            }
        }

        func expectNothingLost(_ situation: Comment) async throws {
            // A secret that is in neither place is lost.
            let hasVault = try await vault.state() != .absent
            let moved = hasVault ? try await vault.unlock(TestPin.right).texts() : [:]
            #expect(moved.merging(old.items.all) { moved, _ in moved } == Self.secrets, situation)

            try await proceed()
            #expect(try await migration.stage() == .done, situation)
            #expect(old.items.all.isEmpty, situation)
            #expect(try await vault.unlock(TestPin.right).texts() == Self.secrets, situation)
        }
    }
}

private struct FaceItems: UnlockedSecrets {
    let items: OldItems
    let isOwner: Bool

    func exist() throws -> Bool {
        for name in ["seed", "token"] where try items.text(named: name) != nil { return true }
        return false
    }

    func recognisesOwner() async throws -> Bool { isOwner }

    func secret(named name: SecretName) throws -> SecretBytes? { try items.secret(named: name) }

    func remove() throws {
        for name in ["seed", "token"] { try items.remove(name) }
    }
}
