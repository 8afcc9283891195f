import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire
import Testing

/// A device with an open vault that contains one secret of the app, software keys, and a relying party. Its stores fail
/// together.
struct TestPhone: Sendable {
    let store: FaultyStore
    let keyStores = Shared<[KeyTag: FaultyStore]>([:])
    let relyingParty = ScriptedRelyingParty()
    let vault: Vault
    let open: OpenVault

    init(biometrics: ScriptedBiometrics? = nil) async throws {
        store = FaultyStore(MemoryStore())
        vault = .forTests(store, biometrics: biometrics)
        open = try await vault.create(TestPin.right)
        try await open.set("seed", named: "wallet")
        store.repair()
    }

    var keys: any DeviceKeys {
        SoftwareDeviceKeys { [store, keyStores] tag in
            keyStores.withLock { stores in
                if let known = stores[tag] { return known }
                let new = FaultyStore(MemoryStore(), failingWith: store)
                stores[tag] = new
                return new
            }
        }
    }

    var binder: DeviceBinder { DeviceBinder(relyingParty: relyingParty, keys: keys) }
    var login: Login { Login(relyingParty: relyingParty, keys: keys) }

    /// The tags of the existing keys.
    func keyTags() async throws -> Set<KeyTag> {
        var tags: Set<KeyTag> = []
        for (tag, store) in keyStores.withLock({ $0 }) where try await store.read() != nil { tags.insert(tag) }
        return tags
    }

    /// The number of existing keys.
    func keyCount() async throws -> Int { try await keyTags().count }

    @discardableResult
    func bind(_ code: EnrolmentCode, in other: OpenVault? = nil) async throws -> DeviceBinding {
        try await binder.bind(other ?? open, code: code, deviceName: DeviceName(unchecked: "Phone"))
    }

    /// A phone whose keys the relying party has bound with `code`, but that got no answer.
    static func pending() async throws -> (phone: TestPhone, code: EnrolmentCode) {
        let phone = try await TestPhone()
        let code = await phone.relyingParty.issueCode()
        await phone.relyingParty.script(.finishBinding, .loseAnswer)
        await #expect(throws: BindingError.relyingParty(.unreachable(reason: "lost"))) { try await phone.bind(code) }
        phone.store.repair()
        return (phone, code)
    }

    /// A bound phone, with a used code.
    static func bound(biometrics: ScriptedBiometrics? = nil) async throws -> TestPhone {
        let phone = try await TestPhone(biometrics: biometrics)
        try await phone.bind(await phone.relyingParty.issueCode())
        phone.store.repair()
        return phone
    }
}
