public import NightlatchWire

/// Why biometric login was not enabled, attempted or disabled.
public enum BiometricLoginError: Error, Hashable, Sendable {
    /// It is not enabled on this device, or not any more: offer to enable it.
    case notEnabled
    /// Another account of this device has it; nil if that one has not got so far that its user is known. Disable it there first.
    case enabledForAnother(UserID?)
    /// What is kept of it could not be read or written.
    case record(BiometricLoginRecordError)
    /// The vault's biometrics could not be set up. The keys stay; call ``BiometricLogin/enable(_:code:deviceName:)`` again.
    case setUp(BiometricSetupError)
    /// Biometrics did not open the vault. Nothing was asked of the relying party; full credentials or the PIN are the way on.
    case unlock(BiometricUnlockError)
    /// The device was not bound. Call again with the same code, unless it was refused; see ``BindingError``.
    case binding(BindingError)
    /// The login brought no session. With ``LoginError/revoked`` the keys are gone from this device, and it is not enabled any more.
    case login(LoginError)
    /// The relying party could not be told to revoke the device, or did not. The keys stay; call
    /// ``BiometricLogin/disable(_:)`` again.
    case revocation(SessionError)
    /// An answer to the relying party that is still on its way may bind the keys for so long. They stay; call
    /// ``BiometricLogin/disable(_:)`` again then.
    case bindingUndecided(wait: Duration)
    /// The relying party has no device any more that could log in, and a key is left on this one. Call ``BiometricLogin/disable(_:)`` again.
    case removal(ForgetBindingError)
    /// The vault could not be used.
    case vault(OpenVaultError)
}

/// Why what is kept of biometric login could not be read or written. Nothing is known to be changed, unless the store failed in the act.
public enum BiometricLoginRecordError: Error, Hashable, Sendable {
    /// ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// It is damaged: ``BiometricLogin/forget()`` begins anew.
    case corrupt
    /// A newer version of the app wrote it. Update the app.
    case newerFormat(found: Int, newestKnown: Int)
}

extension BiometricLoginRecordError: RecordFormatError {}
