public import NightlatchWire

/// An error that occurs while enabling, using or disabling biometric login.
public enum BiometricLoginError: Error, Hashable, Sendable {
    /// Biometric login is not enabled on this device, or no longer. Offer to enable it.
    case notEnabled
    /// Another account of this device has biometric login; nil if its user is not known yet. Disable it for that
    /// account first.
    case enabledForAnother(UserID?)
    /// The record of biometric login could not be read or written.
    case record(BiometricLoginRecordError)
    /// The vault's biometrics could not be set up. The keys stay: call ``BiometricLogin/enable(_:code:deviceName:)``
    /// again.
    case setUp(BiometricSetupError)
    /// Biometrics did not open the vault. No request was sent to the relying party. Use full credentials or the PIN
    /// instead.
    case unlock(BiometricUnlockError)
    /// The device was not bound. Call again with the same code, unless it was refused; see ``BindingError``.
    case binding(BindingError)
    /// The login failed. With ``LoginError/revoked`` the keys are gone from this device, and biometric login is
    /// disabled.
    case login(LoginError)
    /// The relying party did not confirm that it revoked the device. The keys stay: call ``BiometricLogin/disable(_:)``
    /// again.
    case revocation(SessionError)
    /// A request that is still on its way may bind the keys during this time. The keys stay: call
    /// ``BiometricLogin/disable(_:)`` again after that time.
    case bindingUndecided(wait: Duration)
    /// The device can no longer log in, but one of its keys could not be removed. Call ``BiometricLogin/disable(_:)``
    /// again.
    case removal(ForgetBindingError)
    /// The vault could not be used.
    case vault(OpenVaultError)
}

/// An error that occurs while reading or writing the record of biometric login. Nothing was changed, unless the store
/// failed while it wrote.
public enum BiometricLoginRecordError: Error, Hashable, Sendable {
    /// ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// The record is damaged. ``BiometricLogin/forget()`` removes it.
    case corrupt
    /// A newer version of the app wrote the record. Update the app.
    case newerFormat(found: Int, newestKnown: Int)
}

extension BiometricLoginRecordError: RecordFormatError {}
