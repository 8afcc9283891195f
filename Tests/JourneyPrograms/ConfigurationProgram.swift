import Foundation
import NightlatchJourney

// Configurations as objects: made first, changed later, and held weakly.

final class PinScreenHolder {
    weak var collector: PinCollector?
}

func makeConfigurations() -> [String] {
    let pin = AppPinConfig(keyTag: "my-custom-key-tag")
    pin.pinRetry = 5
    pin.prompt = Prompt(title: "Enter PIN", subtitle: "", description: "Enter your PIN")
    let biometric = BiometricAuthenticatorConfig()
    biometric.keyTag = "my-biometric-key-tag"
    let configs: [AuthenticatorConfig] = [pin, biometric]
    let tags: [String] = [pin.keyTag, biometric.keyTag]
    return configs.map { $0.keyTag } == tags && pin.prompt.title.count == 9 ? tags : []
}

func readDefaults() -> String {
    let config = DeviceBindingConfig()
    config.userKeyStorage = UserKeyStorageConfig()
    config.deviceBindingAuthenticationType = .applicationPin
    config.attestation = .none
    config.timeout = 30
    let selector: UserKeySelector = config.userKeySelector
    config.userKeySelector = selector
    return config.deviceName.isEmpty ? "no name" : "\(config.timeout)"
}

func bindWithName(_ callback: DeviceBindingCallback) async -> String {
    let result = await callback.bind { config in
        config.deviceName = config.deviceName.uppercased()
        config.timeout = 30
        config.deviceBindingAuthenticationType = .applicationPin
        config.pinCollector = CustomPinCollector()
        config.expirationTime = { seconds in Date().addingTimeInterval(Double(seconds)) }
    }
    return message(of: result)
}
