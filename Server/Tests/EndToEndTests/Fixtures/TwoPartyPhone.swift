import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

/// A bound phone with a two-party PIN: its vault is in memory, and its keys are in a folder.
struct TwoPartyPhone: Sendable {
    static let right = "482915"
    static let wrong = "739164"
    static let new = "605837"
    static let newest = "948276"
    static let secret = "seed of the wallet"

    let store = MemoryStore()
    let clock = ManualClock()
    let keyring = ScriptedBiometrics()
    let server: HTTPRelyingParty
    let backend: HTTPBackend
    let keys: SoftwareDeviceKeys
    let user: UserID
    let device: HardenedDevice
    let keyDerivation: KeyDerivationParameters
    /// The app's choice of offline PIN policy.
    let offlinePin: OfflinePinPolicy

    /// Binds a phone.
    ///
    /// - Parameters:
    ///   - user: The phone's user.
    ///   - process: The server.
    ///   - folder: The folder for its keys.
    ///   - digits: Its PIN.
    ///   - keyDerivation: The key derivation of its vault.
    ///   - offlinePin: The app's choice of offline PIN policy.
    ///   - isEnrolled: Whether the PIN is enrolled at the server at once.
    init(
        of user: String = "alice",
        at process: ServerProcess,
        in folder: TemporaryFolder,
        digits: String = right,
        keyDerivation: KeyDerivationParameters = .cheap,
        offlinePin: OfflinePinPolicy = .refused,
        isEnrolled: Bool = true
    ) async throws {
        backend = HTTPBackend(issuer: process.issuer, key: try BackendKey(file: process.folder + "/backend.key"))
        self.user = try #require(UserID(rawValue: user))
        self.keyDerivation = keyDerivation
        self.offlinePin = offlinePin
        server = HTTPRelyingParty(issuer: process.issuer)
        keys = SoftwareDeviceKeys(folder: folder.path + "/keys-" + UUID().uuidString)
        let local = Vault(
            store: store, clock: clock, biometrics: keyring,
            configuration: VaultConfiguration(keyDerivation: keyDerivation, keyDerivationBounds: .forTests))
        let open = try await local.create(with: Self.pin(digits))
        let binding = try await DeviceBinder(relyingParty: server, keys: keys).bind(
            open, code: try await backend.enrolmentCode(for: self.user).code,
            deviceName: try #require(DeviceName(rawValue: "Phone")))
        device = HardenedDevice(binding)
        try await open.set(SecretBytes(copying: Array(Self.secret.utf8)), named: Self.name)
        try await open.setUpBiometrics()
        if isEnrolled { _ = try await unlock(digits) }
    }

    static let name: SecretName = "wallet"

    static func pin(_ digits: String) throws -> Pin { try Pin(digits: SecretBytes(copying: Array(digits.utf8))) }

    /// Returns the hardener that a new process of the app would use.
    func hardener(through party: (any PinRelyingParty)? = nil) -> TwoPartyPin {
        TwoPartyPin(relyingParty: party ?? server, keys: keys)
    }

    /// Returns the vault as a new process of the app opens it, or an attacker with a copy of its record.
    func vault(
        through party: (any PinRelyingParty)? = nil,
        in image: (any SecureStore)? = nil,
        clock: ManualClock? = nil
    ) -> Vault {
        Vault(
            store: image ?? store, clock: clock ?? self.clock, biometrics: keyring, hardener: hardener(through: party),
            configuration: VaultConfiguration(
                keyDerivation: keyDerivation, keyDerivationBounds: .forTests, offlinePin: offlinePin))
    }

    @discardableResult
    func unlock(_ digits: String = right, through party: (any PinRelyingParty)? = nil) async throws -> OpenVault {
        try await vault(through: party).unlock(with: Self.pin(digits))
    }

    @discardableResult
    func changePin(
        from old: String = right,
        to new: String = new,
        through party: (any PinRelyingParty)? = nil
    ) async throws -> OpenVault {
        try await vault(through: party).changePin(from: Self.pin(old), to: Self.pin(new))
    }

    /// Returns a copy of the present record.
    func image() async throws -> MemoryStore {
        let copy = MemoryStore()
        try await copy.replace(#require(try await store.read()), expecting: nil)
        return copy
    }

    func standing() async throws -> PinStanding { try await hardener().standing(of: device) }

    func logIn(_ vault: OpenVault) async throws -> Session {
        try await Login(relyingParty: server, keys: keys).logIn(vault)
    }

    /// Returns the secret that the app keeps in the vault.
    static func secret(in vault: OpenVault) async throws -> String {
        guard let secret = try await vault.secret(named: name) else { return "" }
        return unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
