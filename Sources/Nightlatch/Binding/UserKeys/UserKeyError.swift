/// An error that occurs while binding a user's key or signing with it. The previous state is unchanged, unless a case
/// says otherwise.
public enum UserKeyError: Error, Hashable, Sendable {
    /// This device has no key for this user, or for any user. Bind one.
    case noKey
    /// Another call or another binding removed the key. Bind again.
    case superseded
    /// The user or the calling task cancelled.
    case cancelled
    /// The time ran out.
    case timedOut
    /// The device cannot protect a key in this way, or the app provides no prompt for it.
    case unsupported
    /// The call's limit of PINs was reached without the right one, or a wrong PIN started a wait.
    ///
    /// Each PIN that was tried counts as an attempt. `triesLeft` is the number of attempts left; nil if the last input
    /// was no PIN.
    case wrongPin(triesLeft: Int?)
    /// No PIN is tried until this time has passed. This refusal counted no attempt.
    case pinWaiting(Duration)
    /// No PIN opens the key any more. Bind again.
    case pinBlocked
    /// The call's limit of PINs was reached, and the policy refused the last one for these reasons. Nothing was
    /// created.
    case pinRefused([PinObjection])
    /// The call's limit of PINs was reached, and the last input was no PIN, for this reason. Nothing was created.
    case noPin(PinFormatError)
    /// Biometrics did not release the key. With ``BiometricError/enrolmentChanged`` they never will: bind again.
    case biometrics(BiometricError)
    /// The device has the maximum number of keys. Delete some.
    case tooManyKeys
    /// A text from the server is too long to be stored.
    case textTooLong
    /// The key could not be created, used or removed.
    ///
    /// With ``DeviceKeyError/Code/absent`` and ``DeviceKeyError/Code/corrupt`` it can never be used again: bind again.
    case key(DeviceKeyError)
    /// The vault that protects the key could not be used.
    case vault(VaultError)
    /// The registry of keys could not be read or written.
    case registry(RegistryError)
}

extension UserKeyError {
    /// Whether the key can never sign again, so that only a new binding helps.
    public var needsBinding: Bool {
        switch self {
        case .noKey, .superseded, .pinBlocked, .biometrics(.enrolmentChanged), .biometrics(.corrupt): true
        case .key(let error): [.absent, .corrupt, .wrongAccess].contains(error.code)
        case .vault(let error): error == .corrupt
        case .cancelled, .timedOut, .unsupported, .wrongPin, .pinWaiting, .pinRefused, .noPin, .biometrics,
            .tooManyKeys, .textTooLong, .registry:
            false
        }
    }

    init(_ error: VaultError) {
        switch error.code {
        // Only this call uses the vault, so another call must have removed it.
        case .locked, .superseded, .reservedName: self = .superseded
        default: self = .vault(error)
        }
    }
}
