import Nightlatch
import NightlatchTesting
import NightlatchWire

/// A bound phone with a PIN that uses a hardener, or will use it.
struct HardenedPhone {
    let store: FaultyStore
    let keyring: ScriptedBiometrics
    let clock: ManualClock
    let hardener: MemoryPinHardener
    let device: DeviceID
    /// The app's choice.
    var offlinePin: OfflinePinPolicy

    static let secrets = ["wallet": "seed", "token": "old"]

    /// - Parameters:
    ///   - isEnrolled: Whether the vault was moved to the hardener.
    ///   - limit: The number of guesses that the hardener allows.
    ///   - offlinePin: The app's choice.
    init(isEnrolled: Bool = true, limit: Int = 10, offlinePin: OfflinePinPolicy = .refused) async throws {
        self.offlinePin = offlinePin
        keyring = ScriptedBiometrics()
        clock = ManualClock()
        hardener = MemoryPinHardener(limit: limit)
        let phone = try await TestPhone.bound()
        store = phone.store
        let binding = try await phone.open.deviceBinding()
        device = binding?.device ?? .random()
        for (name, text) in Self.secrets { try await phone.open.set(text, named: name) }
        await phone.open.lock()
        let local = Vault.forTests(store, clock: clock, biometrics: keyring)
        let open = try await local.unlock(TestPin.right)
        try await open.setUpBiometrics()
        try await open.setUpRecovery(TestPhrase.right)
        if isEnrolled { try await vault().unlock(TestPin.right) }
        store.repair()
        hardener.repair()
    }

    private init(_ other: HardenedPhone, store: FaultyStore, hardener: MemoryPinHardener) {
        self.store = store
        self.hardener = hardener
        keyring = other.keyring
        clock = other.clock
        device = other.device
        offlinePin = other.offlinePin
    }

    /// Returns a phone with the same state. Later changes of its record and its hardener are independent.
    func copy() async throws -> HardenedPhone {
        HardenedPhone(self, store: FaultyStore(try await image()), hardener: hardener.copy())
    }

    /// The vault as a new process opens it.
    func vault() -> Vault { vault(in: store, hardener) }

    func vault(in store: any SecureStore, _ hardener: MemoryPinHardener) -> Vault {
        .forTests(
            store, clock: clock, biometrics: keyring, hardener: hardener.client(),
            offlinePin: offlinePin)
    }

    /// The vault as a separate process opens it. A test can interrupt it at the steps of its hardener.
    func vault(_ steps: Steps) -> Vault {
        .forTests(
            store, clock: clock, biometrics: keyring, hardener: SteppedHardener(base: hardener.client(), steps: steps))
    }

    /// The vault in its present state, without a reachable hardener.
    func offlineVault() async throws -> Vault { offlineVault(in: try await image()) }

    func offlineVault(in store: any SecureStore) -> Vault {
        let nobody = hardener.copy()
        nobody.fail(at: 0, .request)
        return vault(in: store, nobody)
    }

    /// An attacker's copy of the device's present record.
    func image() async throws -> MemoryStore {
        let copy = MemoryStore()
        if let record = try await store.read() { try await copy.replace(record, expecting: nil) }
        return copy
    }

    /// The app's secrets in the vault.
    static func secrets(in open: OpenVault) async throws -> [String: String] {
        try await open.texts().filter { secrets.keys.contains($0.key) }
    }
}
