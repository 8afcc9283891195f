/// Why nobody could be asked, or no answer could be tried. Wrong PINs, waits and lockouts are none: they are outcomes.
public enum LocalAuthError: Error, Hashable, Sendable {
    /// There is no such profile, or it is being deregistered. Register it anew.
    case notRegistered
    /// The registry could not be read or written.
    case registry(ProfileRegistryError)
    /// The vault's record could not be used. ``UnlockError/record(_:)`` says what was counted.
    case vault(VaultRecordError)
    /// What stretching the PIN needs could not be had, memory most likely. Nothing was counted; free memory and ask again.
    case notPrepared(KeyDerivationFailure)
    /// The PIN could not be stretched. The attempt counts.
    case keyDerivation(KeyDerivationFailure)
    /// The hardener of the vault's PIN gave nothing: the relying party is out of reach, most likely. Nothing was counted on the device. What
    /// the person has typed is gone; ask again when there is a connection.
    case hardener(PinHardenerError)
    /// The vault's PIN hangs on a hardener that the app did not set the vault up with: a defect of the app.
    case noHardener
    /// The prompt answered with a box whose PIN was taken already: a defect of the prompt. Nothing was counted.
    case emptyPinBox
}

/// Why an authenticator was not set up or removed.
public enum AuthenticatorError: Error, Hashable, Sendable {
    /// The PIN comes with the registration and goes with it. Deregister the profile to be rid of it.
    case pinIsAlwaysThere
    /// The person could not be asked. Nothing was set up.
    case localAuth(LocalAuthError)
    /// Biometrics were not set up or removed.
    case biometrics(BiometricSetupError)
    /// Biometrics were set up or removed, but the preference was not written down.
    case preference(ProfileError)
}
