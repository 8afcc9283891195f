import Foundation
import NightlatchJourney

// What programs do with callbacks beyond the guide: their own message, an authenticator for signing, a button.

func answerBinding(_ callback: DeviceBindingCallback, _ message: String) -> [String: Any] {
    callback.setJws(message)
    callback.setDeviceId("device")
    callback.setDeviceName("Phone")
    return callback.json
}

func answerSigning(_ callback: DeviceSigningVerifierCallback, _ message: String) -> [String: Any] {
    callback.setJws(message)
    return callback.json
}

func signCarefully(_ callback: DeviceSigningVerifierCallback, with authenticator: DeviceAuthenticator) async -> String {
    let result = await callback.sign(authenticator: authenticator)
    return message(of: result)
}

func press(_ index: Int, _ callback: ConfirmationCallback) -> Int {
    let before: Int? = callback.selectedIndex
    callback.selectedIndex = index
    return before ?? -1
}

func unsupported() -> DeviceBindingStatus {
    .unsupported(errorMessage: "This device is too old.")
}

func reason(_ status: DeviceBindingStatus) -> String {
    if case .unsupported(let errorMessage) = status { return errorMessage ?? status.errorMessage }
    return status.clientError
}
