/// What came of asking a person to unlock.
public struct UnlockResult: Sendable {
    public let outcome: UnlockOutcome
    /// What else the app should know, in the order in which it happened.
    public let events: [LocalAuthEvent]

    /// Whether the faces and fingers that are enrolled have changed since biometrics were set up. They open nothing until they are set
    /// up again: offer that with ``LocalAuthService/setUp(_:in:preferring:)`` once the PIN has opened the vault.
    public var hasEnrolmentChanged: Bool { events.contains(.biometricsFailed(.enrolmentChanged)) }
}

/// How the unlocking ended, as a screen needs it.
public enum UnlockOutcome: Sendable {
    /// The vault is open.
    case unlocked(OpenVault, by: Authenticator)
    /// The person, or whoever waited for the outcome, cancelled. It is no failure, and nothing was counted for it.
    case cancelled
    /// No PIN is tried until this time has passed. It is an outcome only where ``LocalAuthConfiguration/showsWaits`` is false.
    case waiting(Duration, triesLeft: Int)
    /// No PIN opens the vault any more: it was guessed too often, or the person has given it up.
    case blocked(Unblocking)
    /// The lockout policy has wiped the vault, or the person gave up a PIN under such a policy. The profile was deregistered with all
    /// that belonged to it.
    case erased
    /// The store finds no vault of this profile now. Nothing was removed and nothing was counted for that.
    ///
    /// The store may find it later, so offer to try again. A vault does not come along when a device is replaced; then the person sets
    /// the app up again: ``Profiles/deregister(_:)``, then a new registration.
    case missing
}

/// What happened on the way to an outcome.
public enum LocalAuthEvent: Hashable, Sendable {
    /// Biometrics were asked for and did not open the vault, for a reason that the person did not choose.
    case biometricsFailed(BiometricError)
    /// Biometrics opened a vault whose PIN is blocked. Once the person has proved who they are, give it a new one
    /// (``LocalAuthService/setPin(in:after:code:)``).
    case pinBlocked(Unblocking)
    /// The vault was erased, and something of the profile is left. ``Profiles/resume()`` goes on with it.
    case profileNotRemoved(DeregistrationError)
    /// The old PIN has opened the vault, and the unlock has found what ``OpenVault/foreignGuesses`` and ``OpenVault/rekeyFailure`` say; one of the
    /// two is nil at most. Only ``LocalAuthService/changePin(in:)`` says it so: otherwise the vault itself is handed over, which has both.
    case foundAtUnlock(ForeignGuesses?, RekeyError?)
    /// The length of the PIN could not be written down. It is not known until the next unlock by PIN.
    case pinLengthNotWritten(ProfileRegistryError)
}
