import Nightlatch
import NightlatchPlatform

/// An app on a model of an Apple device, with the adapters that apps use.
struct AppleDevice: Sendable {
    static let titles = BiometricPromptTitles(pin: "Enter PIN", cancel: "Not now")

    let keychain: KeychainModel
    let model = EnclaveModel()

    init(_ system: KeychainModel.System = .iOS) {
        keychain = KeychainModel(system)
    }

    func keyring(
        _ protection: BiometricProtection,
        biometry: BiometryCalls? = nil
    ) -> SecureEnclaveBiometricKeyring {
        SecureEnclaveBiometricKeyring(
            vault: "vault", service: "app", protection: protection, titles: Self.titles,
            calls: .init(keychain: keychain.calls, enclave: model.enclave, biometry: biometry ?? model.biometry))
    }

    var keyring: SecureEnclaveBiometricKeyring { keyring(.biometricsOnly) }

    var keys: SecureEnclaveKeys { SecureEnclaveKeys(service: "app", keychain: keychain.calls, calls: model.enclave) }

    var pinSlot: SecureEnclavePinSlot {
        SecureEnclavePinSlot(name: "vault", service: "app", keychain: keychain.calls, calls: model.enclave)
    }

    var pinHardener: ChipPinHardener {
        .secureEnclave(name: "vault", service: "app", keychain: keychain.calls, calls: model.enclave)
    }

    var store: KeychainStore { KeychainStore(service: "app", account: "vault", calls: keychain.calls) }
}
