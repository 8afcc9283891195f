/// An error that occurs while asking the user for the PIN or biometrics, or while trying the answer.
///
/// Wrong PINs, waits and lockouts are outcomes, not errors.
public enum LocalAuthError: Error, Hashable, Sendable {
    /// There is no such profile, or it is being deregistered. Register it again.
    case notRegistered
    /// The registry could not be read or written.
    case registry(ProfileRegistryError)
    /// The vault's record could not be used. ``UnlockError/record(_:)`` says whether an attempt was counted.
    case vault(VaultRecordError)
    /// The resources for stretching the PIN are missing, most likely memory. No attempt was counted. Free memory and
    /// ask again.
    case notPrepared(KeyDerivationFailure)
    /// The PIN could not be stretched. The attempt counts.
    case keyDerivation(KeyDerivationFailure)
    /// The hardener of the vault's PIN gave no answer, most likely because the relying party is unreachable.
    ///
    /// No attempt was counted on the device. The typed PIN was discarded: ask again when there is a connection.
    case hardener(PinHardenerError)
    /// The vault's PIN needs a hardener, and the app configured the vault without one: a defect of the app.
    case noHardener
    /// The prompt answered with a box whose PIN was already taken: a defect of the prompt. No attempt was counted.
    case emptyPinBox
}

/// An error that occurs while setting up or removing an authenticator.
public enum AuthenticatorError: Error, Hashable, Sendable {
    /// The PIN cannot be set up or removed separately: it exists as long as the profile. To remove it, deregister the
    /// profile.
    case pinIsAlwaysThere
    /// The user could not be asked. Nothing was set up.
    case localAuth(LocalAuthError)
    /// Biometrics were not set up or removed.
    case biometrics(BiometricSetupError)
    /// Biometrics were set up or removed, but the preference was not stored.
    case preference(ProfileError)
}
