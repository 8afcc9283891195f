/// What to do about an error: a closed set, so one switch handles every error of this package.
///
/// ```swift
/// switch Advice(for: error) {
/// case .tryAgain, .tryLater, .checkNetwork, .freeSpace, .updateApp, .restoreAccess: show(error.localizedDescription)
/// case .askForPin: lock()
/// case .signIn, .askForPhrase, .bindAgain: showSignIn()
/// case .defect(let code): report(code)
/// case .nothing: break
/// }
/// ```
///
/// The error itself says more (``AdvisedError``): what happened, in a sentence for people, and in its cases what still
/// holds.
public enum Advice: Hashable, Sendable {
    /// Offer to do the same again now, with other input where the person chose or typed something.
    case tryAgain
    /// Offer to do the same again later: after this time, or nil where nothing says when.
    case tryLater(after: Duration?)
    /// Unlock again and ask for the PIN: the vault is locked, the login has ended, or biometrics are not enough.
    case askForPin
    /// Ask for the person's full credentials. With them the vault gets a new PIN
    /// (``LocalAuthService/setPin(in:after:code:)``), or is set up again where nothing opens it any more.
    case signIn
    /// Ask for the recovery phrase, which alone opens the vault now
    /// (``LocalAuthService/recover(with:after:code:acceptingUnauthenticated:)``).
    case askForPhrase
    /// Get a new enrolment code and bind the device with it. Where the vault still opens it stays
    /// (``DeviceBinder/bindAgain(_:code:deviceName:)``); where it does not, remove it and set it up again.
    case bindAgain
    /// Offer to do the same again once there is a connection.
    case checkNetwork
    /// The device has no memory or no storage left. Offer to do the same again after something was closed or deleted.
    case freeSpace
    /// A newer version of the app wrote what is stored. It is untouched.
    case updateApp
    /// The system keeps the app out: show the way to the system's settings.
    case restoreAccess
    /// A defect of the app, the service or the device. Trying again does not help. The code is for a report: it names
    /// the case and says nothing of the person.
    case defect(code: String)
    /// Nothing: the person cancelled, or what was asked for is over or done already.
    case nothing
}

extension Advice {
    /// The advice of any error. A cancelled task's is ``nothing``. Any other error that is not this package's is a
    /// defect, and its code is the name of its type.
    public init(for error: any Error) {
        self =
            switch error {
            case let error as any AdvisedError: error.advice
            case is CancellationError: .nothing
            default: .defect(code: String(describing: type(of: error)))
            }
    }
}
