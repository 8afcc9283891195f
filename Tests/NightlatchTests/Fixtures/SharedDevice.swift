import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchWire

/// A device with several users: a registry, software keys, a vault and a keyring for each profile, in stores that fail
/// together.
struct SharedDevice: Sendable {
    let registry: FaultyStore
    let clock = ManualClock()
    let relyingParty = ScriptedRelyingParty()
    private let vaultStores = Shared<[ProfileID: FaultyStore]>([:])
    private let keyStores = Shared<[KeyTag: FaultyStore]>([:])
    private let keyrings = Shared<[ProfileID: ScriptedBiometrics]>([:])
    private let remembersPinLengths: Bool
    private let lockoutPolicy: LockoutPolicy
    private let hardener: (any PinHardener)?
    private let folder: TemporaryFolder?

    /// A device for a crash of `fault`. If that is in the middle of a write, the stores are files, because memory
    /// cannot be written partly.
    init(dyingOf fault: FaultyStore.Fault, lockoutPolicy: LockoutPolicy = .login) {
        self.lockoutPolicy = lockoutPolicy
        hardener = nil
        remembersPinLengths = true
        guard fault == .torn else {
            folder = nil
            registry = FaultyStore(MemoryStore())
            return
        }
        let folder = TemporaryFolder()
        let path = folder.path + "/registry"
        registry = FaultyStore(FileStore(path: path), tearing: StoreKind.tear(fileAt: path))
        self.folder = folder
    }

    init(
        registry: any SecureStore = MemoryStore(),
        remembersPinLengths: Bool = true,
        lockoutPolicy: LockoutPolicy = .login,
        hardener: (any PinHardener)? = nil
    ) {
        folder = nil
        self.hardener = hardener
        self.registry = FaultyStore(registry)
        self.remembersPinLengths = remembersPinLengths
        self.lockoutPolicy = lockoutPolicy
    }

    /// The profiles as an app makes them when it starts.
    var profiles: Profiles {
        Profiles(registry: registry, deviceKeys: keys, remembersPinLengths: remembersPinLengths) { profile in
            Vault(
                store: vaultStore(of: profile.id), clock: clock, biometrics: biometrics(of: profile.id),
                hardener: hardener,
                configuration: VaultConfiguration(
                    lockoutPolicy: lockoutPolicy, keyDerivation: .cheap,
                    keyDerivationBounds: .forTests, autoLock: .never))
        }
    }

    var keys: any DeviceKeys {
        SoftwareDeviceKeys { tag in
            keyStores.withLock { stores in
                if let known = stores[tag] { return known }
                let new = newStore("key-\(stores.count)")
                stores[tag] = new
                return new
            }
        }
    }

    func vaultStore(of id: ProfileID) -> FaultyStore {
        vaultStores.withLock { stores in
            if let known = stores[id] { return known }
            let new = newStore("vault-\(stores.count)")
            stores[id] = new
            return new
        }
    }

    private func newStore(_ name: String) -> FaultyStore {
        guard let path = folder.map({ $0.path + "/" + name }) else {
            return FaultyStore(MemoryStore(), failingWith: registry)
        }
        return FaultyStore(FileStore(path: path), failingWith: registry, tearing: StoreKind.tear(fileAt: path))
    }

    func biometrics(of id: ProfileID) -> ScriptedBiometrics {
        keyrings.withLock { keyrings in
            if let known = keyrings[id] { return known }
            let new = ScriptedBiometrics()
            keyrings[id] = new
            return new
        }
    }

    /// The numbers of the records of all profiles, listed or not.
    struct Possessions: Hashable {
        var vaults = 0
        var deviceKeys = 0
        var biometricKeys = 0

        static let none = Possessions()
    }

    func possessions() async throws -> Possessions {
        Possessions(
            vaults: try await count(vaultStores.withLock { Array($0.values) }),
            deviceKeys: try await count(keyStores.withLock { Array($0.values) }),
            biometricKeys: keyrings.withLock { $0.values.reduce(0) { $0 + $1.keys.count } })
    }

    /// The number of the registry's profiles, listed or not.
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

    func auth(
        _ profile: Profile,
        _ person: ScriptedPerson = ScriptedPerson(),
        _ configuration: LocalAuthConfiguration = LocalAuthConfiguration()
    ) -> LocalAuthService {
        LocalAuthService(profile: profile.id, in: profiles, prompt: person, configuration: configuration)
    }

    /// A profile whose user prefers biometrics, and has set them up.
    func registerWithBiometrics() async throws -> Profile {
        let (profile, open) = try await register()
        try await auth(profile).setUp(.biometrics, in: open)
        return profile
    }

    func bind(_ profile: ProfileID, in open: OpenVault) async throws {
        _ = try await DeviceBinder(relyingParty: relyingParty, keys: profiles.deviceKeys(of: profile))
            .bind(open, code: await relyingParty.issueCode(), deviceName: DeviceName(unchecked: "Phone"))
    }
}
