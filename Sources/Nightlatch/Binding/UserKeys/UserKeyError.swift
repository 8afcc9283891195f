/// Why a user's key was not bound, or did not sign. What was there before is there still, unless a case says otherwise.
public enum UserKeyError: Error, Hashable, Sendable {
    /// There is no key of this user here, or no key of anybody. Bind one.
    case noKey
    /// The key was removed meanwhile, by another call or another binding. Bind again.
    case superseded
    /// The person, or whoever waited for the answer, cancelled.
    case cancelled
    /// The time was over.
    case timedOut
    /// The device cannot protect a key like that, or the app gave nothing to do it with.
    case unsupported
    /// As many PINs as the call allows were wrong. Those that were tried count; so many may still be tried, nil if what was typed
    /// were no PINs.
    case wrongPin(triesLeft: Int?)
    /// No PIN is tried before this time has passed. Nothing was counted by this call.
    case pinWaiting(Duration)
    /// No PIN opens the key any more. Bind again.
    case pinBlocked
    /// As many PINs as the call allows may not be set, the last for these reasons. Nothing was made.
    case pinRefused([PinObjection])
    /// As many PINs as the call allows were none, the last for this reason. Nothing was made.
    case noPin(PinFormatError)
    /// Biometrics did not release the key. With ``BiometricError/enrolmentChanged`` they never will again: bind again.
    case biometrics(BiometricError)
    /// The device has as many keys as it can keep. Delete some.
    case tooManyKeys
    /// A text from the server is too long to be kept.
    case textTooLong
    /// The key could not be made, used or removed. With ``DeviceKeyError/Code/absent`` and ``DeviceKeyError/Code/corrupt`` it never can
    /// be again: bind again.
    case key(DeviceKeyError)
    /// The vault that protects the key could not be used.
    case vault(VaultRecordError)
    /// The PIN could not be stretched.
    case keyDerivation(KeyDerivationFailure)
    /// The registry of keys could not be read or written.
    case registry(UserKeyRegistryError)
}

extension UserKeyError {
    /// Whether the key that was to sign never can again, so that only another binding helps.
    public var needsBinding: Bool {
        switch self {
        case .noKey, .superseded, .pinBlocked, .biometrics(.enrolmentChanged), .biometrics(.corrupt): true
        case .key(let error): [.absent, .corrupt, .wrongAccess].contains(error.code)
        case .vault(let error): error == .corrupt
        case .cancelled, .timedOut, .unsupported, .wrongPin, .pinWaiting, .pinRefused, .noPin, .biometrics,
            .tooManyKeys, .textTooLong,
            .keyDerivation, .registry:
            false
        }
    }

    init(_ error: OpenVaultError) {
        switch error {
        case .record(let error): self = .vault(error)
        // The vault is this call's alone: someone has removed it meanwhile.
        case .locked, .superseded, .reservedName: self = .superseded
        }
    }
}
