import Foundation
import Nightlatch
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the steps of the article on migrating, and interrupts them at every point.
@Suite("Migrating from a PIN in UserDefaults or the Keychain")
struct PinMigrationTests {
    @Test("A wrong old PIN moves nothing")
    func wrongOldPin() async throws {
        let scene = Scene()
        #expect(try await scene.migration.stage() == .notBegun)
        let open = try await scene.migration.begin(with: Scene.digits(TestPin.wrong), newPin: Pin(TestPin.wrong))
        #expect(open == nil)
        #expect(try await scene.migration.stage() == .notBegun)
        #expect(scene.old.items.all == Scene.items)
    }

    @Test("Objections to the old PIN are reported before anything is done")
    func objections() throws {
        let migration = Scene().migration
        #expect(try migration.objections(to: Scene.digits(TestPin.right)).isEmpty)
        #expect(try migration.objections(to: Scene.digits("123456")) == [.common(.run)])
    }

    @Test("Secrets that the vault already has are newer, and stay when an interrupted move continues")
    func newer() async throws {
        let scene = Scene()
        let open = try await scene.vault.create(TestPin.right)
        try await open.set("new", named: "token")
        try await scene.migration.finish(in: open)
        #expect(try await open.texts() == ["token": "new", "seed": "horse"])
    }

    @Test("An app without a PIN has nothing to move, and a locked Keychain is an error, not absence")
    func stages() async throws {
        let scene = Scene()
        scene.old.items.fail(at: 0)
        await #expect(throws: OldItems.Unavailable.self) { try await scene.migration.stage() }
        scene.old.items.fail(at: nil)
        try scene.old.remove()
        #expect(try await scene.migration.stage() == .nothingToMove)
    }

    @Test("After a crash at any call of the vault's store every secret exists, and the next start completes the move")
    func crashOfTheVault() async throws {
        try await Scene.crashAtEachStoreCall(atLeast: 20) { Scene() }
    }

    @Test("After a crash at any call of the Keychain every secret exists, and the next start completes the move")
    func crashOfTheKeychain() async throws {
        try await Scene.crashAtEachOldItem(atLeast: 7) { Scene() }
    }

    @Test("UserDefaults without the app's marker cannot be read, so the PIN does not count as missing")
    func emptyDefaults() throws {
        let suite = "nightlatch-\(UUID().uuidString)"
        let old = PinInDefaults(suite: suite, pinKey: "pin", markerKey: "installed")
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        #expect(throws: PinInDefaults.Unreadable.self) { try old.exists() }
        defaults.set(true, forKey: "installed")
        #expect(try !old.exists())
        defaults.set(TestPin.right, forKey: "pin")
        #expect(try old.exists())
        try old.remove()
        #expect(try !old.exists())
    }

    /// An app that keeps its PIN in the Keychain.
    private struct Scene: MigrationScene {
        static let secrets = ["seed": "horse", "token": "old"]
        static let items = secrets.merging([OldPinItems.pinItem: TestPin.right]) { $1 }

        let old = OldPinItems(items)
        let store = FaultyStore(MemoryStore())

        var vault: Vault { .forTests(store) }

        var faultyStore: FaultyStore { store }
        var oldItems: OldItems { old.items }

        var migration: PinMigration { PinMigration(vault: vault, old: old, secrets: ["seed", "token"]) }

        static func digits(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

        /// The app's actions at its start.
        func proceed() async throws {
            switch try await migration.stage() {
            case .nothingToMove, .done: break
            case .notBegun:
                _ = try await migration.begin(with: Self.digits(TestPin.right), newPin: Pin(TestPin.right))
            case .cutOff: try await migration.finish(in: try await vault.unlock(TestPin.right))
            }
        }

        func expectNothingLost(_ situation: Comment) async throws {
            // A secret that is in neither place is lost.
            let hasVault = try await vault.state() != .absent
            var found = hasVault ? try await vault.unlock(TestPin.right).texts() : [:]
            found.merge(old.items.all) { moved, _ in moved }
            found[OldPinItems.pinItem] = nil
            #expect(found == Self.secrets, situation)

            try await proceed()
            #expect(try await migration.stage() == .done, situation)
            #expect(old.items.all.isEmpty, situation)
            #expect(try await vault.unlock(TestPin.right).texts() == Self.secrets, situation)
        }
    }
}

/// Items of a Keychain that can be made to fail. The PIN is kept in plain text, as it should not be.
private struct OldPinItems: OldPin {
    static let pinItem = "pin"

    let items: OldItems

    init(_ items: [String: String]) {
        self.items = OldItems(items)
    }

    func exists() throws -> Bool { try items.text(named: Self.pinItem) != nil }

    func accepts(_ digits: borrowing SecretBytes) throws -> Bool {
        guard let pin = try items.text(named: Self.pinItem) else { return false }
        return digits.isEqual(to: SecretBytes(copying: Array(pin.utf8)))
    }

    func secret(named name: SecretName) throws -> SecretBytes? { try items.secret(named: name) }

    func remove() throws {
        for name in ["seed", "token", Self.pinItem] { try items.remove(name) }
    }
}
