import Foundation
import NightlatchJourney

// A program's own authenticator, made from the module's base class.

final class CarefulAuthenticator: DefaultDeviceAuthenticator {
    private let pin = AppPinConfig(pinCollector: CustomPinCollector())
    private(set) var title = ""

    override func type() -> DeviceBindingAuthenticationType { .applicationPin }

    override var config: AuthenticatorConfig? { pin }

    override func isSupported(attestation: Attestation) -> Bool { true }

    override func setPrompt(_ prompt: Prompt) {
        title = prompt.title
    }

    override func issueTime() -> Date { Date(timeIntervalSince1970: 1_790_000_000) }

    override func notBeforeTime() -> Date { Date(timeIntervalSince1970: 1_790_000_000) }

    override func validateCustomClaims(_ claims: [String: Any]) -> Bool {
        super.validateCustomClaims(claims) && claims["note"] == nil
    }
}

func bindCarefully(_ callback: DeviceBindingCallback, note: String?) async -> String {
    let authenticator = CarefulAuthenticator()
    let result = await callback.bind { config in
        if let note { config.claims = ["note": note] }
        config.deviceAuthenticator = authenticator
    }
    if case .failure(let error) = result { return kind(of: error) }
    return authenticator.title
}
