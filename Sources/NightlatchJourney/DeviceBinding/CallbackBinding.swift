internal import Nightlatch

/// What a device callback knows of the journey that it belongs to.
struct CallbackBinding: Sendable {
    let environment: DeviceBindingEnvironment?
    /// The server with its realm.
    let server: String
    let logger: (any JourneyLogger)?
}

/// Why a callback was not answered with a signature.
enum CallbackProblem: Error {
    case status(DeviceBindingStatus)
    case key(UserKeyError)

    /// The callback lacks what it must have.
    static let incomplete = CallbackProblem.status(.unsupported("The callback is not complete."))

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
