import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// Runs the steps of the article, and interrupts them at every point.
@Suite("Migrating from another vendor's SDK")
struct SDKMigrationTests {
    @Test("A wrong old PIN moves nothing, and costs no enrolment code")
    func wrongOldPin() async throws {
        let scene = Scene()
        #expect(try await scene.move(TestPin.wrong) == nil)
        #expect(try await scene.migration.stage() == .notBegun)
        #expect(scene.old.items.all == Scene.items)
        #expect(await scene.phone.relyingParty.verbs.isEmpty)
    }

    @Test("The old registration stays until the new key has logged in")
    func order() async throws {
        let scene = Scene()
        await scene.phone.relyingParty.script(.tokens, .loseRequest)
        await #expect(throws: LoginError.self) { try await scene.move(TestPin.right) }
        #expect(try await scene.migration.stage() == .cutOff)
        #expect(scene.old.items.all == Scene.items)
        let open = try await scene.phone.vault.unlock(TestPin.right)
        #expect(try await scene.migration.finish(in: open))
        #expect(try await scene.migration.stage() == .done)
    }

    @Test("A vault that is not bound yet does not end the old registration")
    func unbound() async throws {
        let scene = Scene()
        let open = try await scene.phone.vault.create(TestPin.right)
        #expect(try await !scene.migration.finish(in: open))
        #expect(scene.old.items.all == Scene.items)
    }

    @Test("After a crash at any store of the device every secret exists, and the next start completes the move")
    func crashOfTheDevice() async throws {
        try await Scene.crashAtEachStoreCall(atLeast: 40) { Scene() }
    }

    @Test("After a crash at any call of the old SDK every secret exists, and the next start completes the move")
    func crashOfTheSDK() async throws {
        try await Scene.crashAtEachOldItem(atLeast: 7) { Scene() }
    }

    @Test(
        "After a lost request or a lost answer the next start completes the move",
        arguments: [ScriptedRelyingParty.Verb.beginBinding, .finishBinding, .beginLogin, .tokens], [true, false])
    func lost(verb: ScriptedRelyingParty.Verb, losesAnswer: Bool) async throws {
        let scene = Scene()
        await scene.phone.relyingParty.script(verb, losesAnswer ? .loseAnswer : .loseRequest)
        await #expect(throws: (any Error).self) { try await scene.proceed() }
        try await scene.expectNothingLost("\(verb)")
    }

    /// An app with the old SDK, on a phone with the new one.
    private struct Scene: MigrationScene {
        static let secrets = ["seed": "horse", "token": "old"]
        static let items = secrets.merging([OldSDKModel.registration: TestPin.right]) { $1 }

        let phone = Phone()
        let old: OldSDKModel

        init() {
            old = OldSDKModel(items: OldItems(Self.items), relyingParty: phone.relyingParty)
        }

        var faultyStore: FaultyStore { phone.store }
        var oldItems: OldItems { old.items }

        var migration: SDKMigration {
            SDKMigration(
                vault: phone.vault, old: old, binder: phone.binder, login: phone.login,
                deviceName: DeviceName(unchecked: "Phone"), secrets: ["seed", "token"])
        }

        @discardableResult
        func move(_ digits: String) async throws -> OpenVault? {
            try await migration.move(with: SecretBytes(copying: Array(digits.utf8)), newPin: Pin(digits))
        }

        /// The app's actions at its start.
        func proceed() async throws {
            switch try await migration.stage() {
            case .nothingToMove, .done: break
            case .notBegun: try await move(TestPin.right)
            case .cutOff:
                let open = try await phone.vault.unlock(TestPin.right)
                guard try await !migration.finish(in: open) else { return }
                await open.lock()
                try await move(TestPin.right)
            }
        }

        /// The app's own secrets. The vault also has those of the binding.
        private static func texts(in open: OpenVault) async throws -> [String: String] {
            try await open.texts().filter { !$0.key.hasPrefix("nightlatch.") }
        }

        func expectNothingLost(_ situation: Comment) async throws {
            // A secret that is in neither place is lost.
            let hasVault = try await phone.vault.state() != .absent
            var found = hasVault ? try await Self.texts(in: try await phone.vault.unlock(TestPin.right)) : [:]
            found.merge(old.items.all) { moved, _ in moved }
            found[OldSDKModel.registration] = nil
            #expect(found == Self.secrets, situation)

            try await proceed()
            #expect(try await migration.stage() == .done, situation)
            #expect(old.items.all.isEmpty, situation)
            let open = try await phone.vault.unlock(TestPin.right)
            #expect(try await Self.texts(in: open) == Self.secrets, situation)
            _ = try await phone.login.logIn(open)
        }
    }

    /// A phone without a vault, whose stores fail together.
    private struct Phone {
        let store = FaultyStore(MemoryStore())
        let relyingParty = ScriptedRelyingParty()
        let keys: any DeviceKeys
        let vault: Vault

        init() {
            keys = SoftwareDeviceKeys.inMemory(failingWith: store)
            vault = .forTests(store)
        }

        var binder: DeviceBinder { DeviceBinder(relyingParty: relyingParty, keys: keys) }
        var login: Login { Login(relyingParty: relyingParty, keys: keys) }
    }
}

/// An SDK that keeps its registration and the app's secrets as items, and knows the PIN, as its server would.
private struct OldSDKModel: OldSDK, OldLogin {
    static let registration = "registration"

    let items: OldItems
    let relyingParty: ScriptedRelyingParty

    func isRegistered() async throws -> Bool { try items.text(named: Self.registration) != nil }

    func logIn(with digits: borrowing SecretBytes) async throws -> (any OldLogin)? {
        guard let pin = try items.text(named: Self.registration),
            digits.isEqual(to: SecretBytes(copying: Array(pin.utf8)))
        else { return nil }
        return self
    }

    func enrolmentCode() async throws -> EnrolmentCode { await relyingParty.issueCode() }

    func secret(named name: SecretName) async throws -> SecretBytes? { try items.secret(named: name) }

    func remove(as session: Session) async throws {
        for name in ["seed", "token", Self.registration] { try items.remove(name) }
    }
}
