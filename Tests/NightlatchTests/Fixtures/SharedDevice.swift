import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// A device that several people use: a registry, a vault for each profile and software keys, in stores that fail together.
struct SharedDevice: Sendable {
    let registry: FaultyStore
    let clock = ManualClock()
    let relyingParty = ScriptedRelyingParty()
    private let vaultStores = Shared<[ProfileID: FaultyStore]>([:])
    private let keyStores = Shared<[KeyTag: FaultyStore]>([:])
    private let remembersPinLengths: Bool

    init(registry: any SecureStore = MemoryStore(), remembersPinLengths: Bool = true) {
        self.registry = FaultyStore(registry)
        self.remembersPinLengths = remembersPinLengths
    }

    /// As an app makes them when it starts.
    var profiles: Profiles {
        Profiles(registry: registry, deviceKeys: keys, remembersPinLengths: remembersPinLengths) { profile in
            Vault(
                store: vaultStore(of: profile.id), clock: clock, pinPolicy: profile.pinPolicy, keyDerivation: .cheap,
                keyDerivationBounds: .forTests)
        }
    }

    var keys: any DeviceKeys {
        SoftwareDeviceKeys { tag in
            keyStores.withLock { stores in
                if let known = stores[tag] { return known }
                let new = FaultyStore(MemoryStore(), failingWith: registry)
                stores[tag] = new
                return new
            }
        }
    }

    func vaultStore(of id: ProfileID) -> FaultyStore {
        vaultStores.withLock { stores in
            if let known = stores[id] { return known }
            let new = FaultyStore(MemoryStore(), failingWith: registry)
            stores[id] = new
            return new
        }
    }

    /// How many vaults and device keys there are, of whichever profile.
    func leftovers() async throws -> (vaults: Int, keys: Int) {
        (
            try await count(vaultStores.withLock { Array($0.values) }),
            try await count(keyStores.withLock { Array($0.values) })
        )
    }

    /// How many profiles the registry has an entry of, listed or not.
    func entryCount() async throws -> Int {
        guard case .array(let entries) = try await registry.json()["profiles"] else { throw NotRegistered() }
        return entries.count
    }

    private func count(_ stores: [FaultyStore]) async throws -> Int {
        var count = 0
        for store in stores where try await store.read() != nil { count += 1 }
        return count
    }

    @discardableResult
    func register(
        _ name: String = "Alice",
        pin: String = TestPin.right,
        policy: PinPolicy = .default
    ) async throws -> (profile: Profile, open: OpenVault) {
        let outcome = try await profiles.register(
            ProfileName(unchecked: name), pinPolicy: policy, prompt: ScriptedPerson(creating: [.pin(pin)]))
        guard case .registered(let profile, let open) = outcome else { throw NotRegistered() }
        return (profile, open)
    }

    struct NotRegistered: Error {}

    func bind(_ profile: ProfileID, in open: OpenVault) async throws {
        guard let keys = profiles.deviceKeys(of: profile) else { throw NotRegistered() }
        _ = try await DeviceBinder(relyingParty: relyingParty, keys: keys)
            .bind(open, code: await relyingParty.issueCode(), deviceName: DeviceName(unchecked: "Phone"))
    }
}
