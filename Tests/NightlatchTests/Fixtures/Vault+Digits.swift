import Nightlatch
import NightlatchTesting
import NightlatchWire

// PINs and secrets cannot be copied, but the arguments of test macros must be.

extension Vault {
    /// A vault that costs little to open.
    static func forTests(
        _ store: any SecureStore,
        clock: ManualClock = ManualClock(),
        policy: LockoutPolicy = .login,
        biometrics: (any BiometricKeyring)? = nil,
        hardener: (any PinHardener)? = nil,
        offlinePin: OfflinePinPolicy = .refused,
        keyDerivation: KeyDerivationParameters = .cheap,
        autoLock: AutoLock = .never
    ) -> Vault {
        Vault(
            store: store, clock: clock, biometrics: biometrics, hardener: hardener,
            configuration: VaultConfiguration(
                lockoutPolicy: policy, keyDerivation: keyDerivation, keyDerivationBounds: .forTests,
                offlinePin: offlinePin, autoLock: autoLock))
    }

    @discardableResult
    func create(_ digits: String) async throws -> OpenVault {
        try await create(with: Pin(digits))
    }

    @discardableResult
    func unlock(_ digits: String) async throws -> OpenVault {
        try await unlock(with: Pin(digits))
    }

    @discardableResult
    func changePin(_ old: String, to new: String) async throws -> OpenVault {
        try await changePin(from: Pin(old), to: Pin(new))
    }
}

extension AutoLock {
    /// Longer than any test.
    static let never = AutoLock(unused: .seconds(1 << 40), inBackground: .seconds(1 << 40))
}

extension OpenVault {
    func set(_ text: String, named name: String) async throws {
        try await setAny(SecretBytes(copying: Array(text.utf8)), named: SecretName(unchecked: name))
    }

    func text(named name: String) async throws -> String? {
        guard let secret = try await anySecret(named: SecretName(unchecked: name)) else { return nil }
        return unsafe secret.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Every secret by its name.
    func texts() async throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try await names() { texts[name.rawValue] = try await text(named: name.rawValue) }
        return texts
    }
}
