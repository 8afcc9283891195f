/// The action to take after an error. The set is closed, so one switch handles every error of this package.
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
/// The error itself (``AdvisedError``) also has a sentence for the user about what happened. The documentation of each
/// case describes the state after the error.
public enum Advice: Hashable, Sendable {
    /// Offer to repeat the action now, with other input if the user chose or typed something.
    case tryAgain
    /// Offer to repeat the action later: after this time, or nil if the time is unknown.
    case tryLater(after: Duration?)
    /// Unlock again and ask for the PIN: the vault is locked, the login has ended, or biometrics are not enough.
    case askForPin
    /// Ask for the user's full credentials. With them the vault gets a new PIN
    /// (``LocalAuthService/setPin(in:after:code:)``), or is set up again if nothing opens it any more.
    case signIn
    /// Ask for the recovery phrase, which is the only way to open the vault now
    /// (``LocalAuthService/recover(with:after:code:acceptingUnauthenticated:)``).
    case askForPhrase
    /// Get a new enrolment code and bind the device with it. If the vault still opens, keep it
    /// (``DeviceBinder/bindAgain(_:code:deviceName:)``). If not, remove it and set it up again.
    case bindAgain
    /// Offer to repeat the action once there is a connection.
    case checkNetwork
    /// The device has no memory or storage left. Offer to repeat the action after the user has closed or deleted
    /// something.
    case freeSpace
    /// A newer version of the app wrote the stored data, which is untouched. Ask the user to update the app.
    case updateApp
    /// The system does not give the app access: show how to change that in the system's settings.
    case restoreAccess
    /// A defect of the app, the service or the device. Trying again does not help.
    ///
    /// Report the code: it names the case and contains nothing about the user.
    case defect(code: String)
    /// Do nothing: the user cancelled, or the action is already done or no longer possible.
    case nothing
}

extension Advice {
    /// Creates the advice for any error. For a cancelled task the advice is ``nothing``. Any other error from outside
    /// this package is a defect, with the name of its type as the code.
    public init(for error: any Error) {
        self =
            switch error {
            case let error as any AdvisedError: error.advice
            case is CancellationError: .nothing
            default: .defect(code: String(describing: type(of: error)))
            }
    }
}
