import Foundation
import NightlatchJourney
import NightlatchLogger

// A program like those that apps wrote for the vendor's SDK; only its imports differ. It is built in the language modes
// of Swift 5 and Swift 6, with the compiler's defaults.

class CustomPinCollector: PinCollector {
    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void) {
        print(prompt.title, prompt.subtitle, prompt.description)
        DispatchQueue.main.async {
            completion("295038")
        }
    }
}

class CancellingPinCollector: PinCollector {
    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void) {
        completion(nil)
    }
}

class ForgetfulPinCollector: PinCollector {
    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void) {
        completion("860527")
    }
}

class AbsentPinCollector: PinCollector {
    let onAsked: @Sendable () -> Void

    init(onAsked: @escaping @Sendable () -> Void) {
        self.onAsked = onAsked
    }

    func collectPin(prompt: Prompt, completion: @escaping @Sendable (String?) -> Void) {
        onAsked()
    }
}

class DecliningUserKeySelector: UserKeySelector {
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey? {
        nil
    }
}

class CustomUserKeySelector: UserKeySelector {
    func selectKey(userKeys: [UserKey], prompt: Prompt) async -> UserKey? {
        for userKey in userKeys {
            let line: String = userKey.username.isEmpty ? userKey.userId : userKey.username
            print(userKey.id, line, userKey.authType.rawValue, prompt.title)
        }
        return userKeys.first
    }
}

class CustomLogger: Logger, @unchecked Sendable {
    func d(_ message: String) { print(message) }
    func i(_ message: String) { print(message) }
    func w(_ message: String, error: Error?) { print(message, error?.localizedDescription ?? "") }
    func e(_ message: String, error: Error?) { print(message, error?.localizedDescription ?? "") }
}

let myCustomLogger = CustomLogger()

func message(of result: Result<[String: Any], Error>) -> String {
    switch result {
    case .success(let json):
        print("done: \(json)")
        return "success"
    case .failure(let error):
        if let status = error as? DeviceBindingStatus {
            return status.errorMessage
        }
        return error.localizedDescription
    }
}

func kind(of error: Error) -> String {
    switch error as? DeviceBindingStatus {
    case .unsupported: return "unsupported"
    case .clientNotRegistered: return "clientNotRegistered"
    case .timeout: return "timeout"
    case .invalidCustomClaims: return "invalidCustomClaims"
    case .abort: return "abort"
    case .unAuthorize: return "unAuthorize"
    case .none: return "another"
    }
}

func bindPlainly(_ callback: DeviceBindingCallback) async -> String {
    let result = await callback.bind()
    return message(of: result)
}

func bindWithPin(_ callback: DeviceBindingCallback) async -> String {
    let result = await callback.bind { config in
        config.pinCollector = CustomPinCollector()
    }
    return message(of: result)
}

func bindWithAuthenticator(_ callback: DeviceBindingCallback) async -> String {
    let result = await callback.bind { config in
        let appPinConfig = AppPinConfig(
            logger: myCustomLogger,
            prompt: Prompt(title: "Enter PIN", subtitle: "Security", description: "Enter your PIN"),
            pinRetry: 5,
            keyTag: "my-custom-key-tag",
            pinCollector: CustomPinCollector()
        )
        config.deviceAuthenticator = AppPinAuthenticator(config: appPinConfig)
    }
    return message(of: result)
}

func bindWithBiometrics(_ callback: DeviceBindingCallback) async -> String {
    let result = await callback.bind { config in
        config.authenticatorConfig = BiometricAuthenticatorConfig(
            logger: myCustomLogger,
            keyTag: "my-biometric-key-tag"
        )
    }
    return message(of: result)
}

/// Makes each configuration with its defaults, and each authenticator by its name.
func makeAuthenticators() -> [any DeviceAuthenticator] {
    _ = AppPinConfig()
    _ = BiometricAuthenticatorConfig()
    return [
        NoneAuthenticator(), BiometricOnlyAuthenticator(config: BiometricAuthenticatorConfig()),
        BiometricDeviceCredentialAuthenticator(config: BiometricAuthenticatorConfig(keyTag: "my-key-tag")),
        AppPinAuthenticator(config: AppPinConfig(pinRetry: 5)),
    ]
}

func signPlainly(_ callback: DeviceSigningVerifierCallback) async -> String {
    let result = await callback.sign()
    return message(of: result)
}

func signTransaction(_ callback: DeviceSigningVerifierCallback) async -> String {
    let result = await callback.sign { config in
        config.claims = ["amount": "100.00", "recipient": "Night Train Ltd", "currency": "USD"]
        config.userKeySelector = CustomUserKeySelector()
        config.pinCollector = CustomPinCollector()
    }
    return message(of: result)
}

func signReserved(_ callback: DeviceSigningVerifierCallback) async -> String {
    let result = await callback.sign { config in
        config.claims = ["sub": "somebody else"]
    }
    switch result {
    case .success:
        return "success"
    case .failure(let error):
        return kind(of: error)
    }
}

func signAsked(_ callback: DeviceSigningVerifierCallback, by collector: any PinCollector) async -> String {
    let result = await callback.sign { config in
        config.pinCollector = collector
    }
    if case .failure(let error) = result {
        return kind(of: error)
    }
    return "success"
}

func signAndSelectNone(_ callback: DeviceSigningVerifierCallback) async -> String {
    let result = await callback.sign { config in
        config.userKeySelector = DecliningUserKeySelector()
    }
    if case .failure(let error) = result {
        return kind(of: error)
    }
    return "success"
}

func signAndCancel(_ callback: DeviceSigningVerifierCallback) async -> String {
    let result = await callback.sign { config in
        config.pinCollector = CancellingPinCollector()
    }
    if case .failure(let error) = result {
        return kind(of: error)
    }
    return "success"
}

@MainActor
final class BindingViewModel {
    var status = ""

    func handleDeviceBinding(callback: DeviceBindingCallback, onNext: @escaping () -> Void) {
        Task {
            let result = await callback.bind { config in
                config.pinCollector = CustomPinCollector()
            }
            switch result {
            case .success(let json):
                print(json)
                status = "bound"
            case .failure(let error):
                status = error.localizedDescription
            }
            onNext()
        }
    }

    func handleDeviceSigning(callback: DeviceSigningVerifierCallback, onNext: @escaping () -> Void) {
        Task {
            let result = await callback.sign { config in
                config.pinCollector = CustomPinCollector()
                config.userKeySelector = CustomUserKeySelector()
            }
            if case .failure(let error) = result {
                status = (error as? DeviceBindingStatus)?.errorMessage ?? error.localizedDescription
            } else {
                status = "signed"
            }
            onNext()
        }
    }
}
