/// An error that occurs while asking the user for the PIN or biometrics, or while trying the answer.
///
/// Wrong PINs, waits and lockouts are outcomes, not errors.
public enum LocalAuthError: Error, Hashable, Sendable {
    /// The registry could not be read or written, or there is no such profile
    /// (``RegistryError/Code/notRegistered``): register it again.
    case registry(RegistryError)
    /// The vault could not be used. ``UnlockError/vault(_:)`` says what was counted.
    ///
    /// The most common code is ``VaultError/Code/hardener``: the relying party on which the PIN depends is unreachable.
    /// The typed PIN was discarded: ask again when there is a connection.
    case vault(VaultError)
    /// The prompt answered with a box whose PIN was already taken: a defect of the prompt. No attempt was counted.
    case emptyPinBox
}

/// An error that occurs while setting up or removing an authenticator.
public enum AuthenticatorError: Error, Hashable, Sendable {
    /// The PIN cannot be set up or removed separately: it exists as long as the profile. To remove it, deregister the
    /// profile.
    case pinIsAlwaysThere
    /// The relying party's policy does not allow this authenticator. Nothing was set up.
    case notPermitted
    /// There is no such profile, or the registry could not be read. Nothing was set up.
    case registry(RegistryError)
    /// The vault could not be opened. Nothing was set up.
    case unlock(VaultError)
    /// The same as ``LocalAuthError/emptyPinBox``. Nothing was set up.
    case emptyPinBox
    /// The vault was opened without a keyring, so it has no biometrics.
    case noKeyring
    /// The open vault could not be used. Biometrics are unchanged, unless the store failed during the write.
    case vault(VaultError)
    /// The keyring could not carry out the operation; see ``BiometricSetupError/biometrics(_:)``.
    case biometrics(BiometricError)
    /// Biometrics were set up or removed, but the preference was not stored.
    case preference(RegistryError)
}

extension AuthenticatorError {
    init(_ error: LocalAuthError) {
        switch error {
        case .registry(let error): self = .registry(error)
        case .vault(let error): self = .unlock(error)
        case .emptyPinBox: self = .emptyPinBox
        }
    }

    init(_ error: BiometricSetupError) {
        switch error {
        case .noKeyring: self = .noKeyring
        case .notPermitted: self = .notPermitted
        case .vault(let error): self = .vault(error)
        case .biometrics(let error): self = .biometrics(error)
        }
    }
}
