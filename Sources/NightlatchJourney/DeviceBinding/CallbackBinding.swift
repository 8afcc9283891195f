internal import Nightlatch

/// The data that a device callback needs about its journey.
struct CallbackBinding: Sendable {
    let environment: DeviceBindingEnvironment?
    /// The server and its realm.
    let server: String
    let logger: (any JourneyLogger)?
}

/// The reason why a callback got no signature.
enum CallbackProblem: Error {
    case status(DeviceBindingStatus)
    case key(UserKeyError)

    /// The callback lacks a required value.
    static let incomplete = CallbackProblem.status(.unsupported(errorMessage: "The callback is not complete."))

    var status: DeviceBindingStatus {
        switch self {
        case .status(let status): status
        case .key(let error): DeviceBindingStatus(error)
        }
    }

    var keyError: UserKeyError? {
        guard case .key(let error) = self else { return nil }
        return error
    }
}
