/// The result of asking the user to unlock.
public struct UnlockResult: Sendable {
    public let outcome: UnlockOutcome
    /// Events that the app should know about, besides the outcome, in the order in which they happened.
    public let events: [LocalAuthEvent]

    /// Whether the enrolled faces or fingers have changed since biometrics were set up.
    ///
    /// Biometrics do not open the vault until they are set up again. Offer that with
    /// ``LocalAuthService/setUp(_:in:preferring:)`` once the PIN has opened the vault.
    public var hasEnrolmentChanged: Bool { events.contains(.biometricsFailed(.enrolmentChanged)) }
}

/// The outcome of an unlock.
public enum UnlockOutcome: Sendable {
    /// The vault is open.
    case unlocked(OpenVault, by: Authenticator)
    /// The user or the calling task cancelled. This is no error, and no attempt was counted.
    case cancelled
    /// No PIN is tried until this time has passed. This outcome occurs only if ``LocalAuthConfiguration/showsWaits`` is
    /// false.
    case waiting(Duration, triesLeft: Int)
    /// The PIN no longer opens the vault: there were too many wrong PINs, or the user has given it up.
    case blocked(Unblocking)
    /// The lockout policy has wiped the vault after too many wrong PINs, or after the user gave up the PIN.
    ///
    /// The profile was deregistered, with everything that belonged to it.
    case erased
    /// The store does not find this profile's vault now. Nothing was removed, and no attempt was counted.
    ///
    /// The store may find the vault later, so offer to try again. After a move to another device the vault is missing
    /// for good. Then the user sets the app up again: ``Profiles/deregister(_:)``, then a new registration.
    case missing
}

/// An event during an unlock or a change of PIN, besides the outcome.
public enum LocalAuthEvent: Hashable, Sendable {
    /// Biometrics were asked for and did not open the vault, for a reason other than the user's choice.
    case biometricsFailed(BiometricError)
    /// Biometrics opened a vault whose PIN is blocked. After the user has authenticated with full credentials, set a
    /// new PIN (``LocalAuthService/setPin(in:after:code:)``).
    case pinBlocked(Unblocking)
    /// The vault was erased, but part of the profile still exists. ``Profiles/resume()`` removes it.
    case profileNotRemoved(DeregistrationError)
    /// The unlock with the old PIN found foreign guesses or could not rekey the vault. At least one of the two values
    /// is not nil.
    ///
    /// Only ``LocalAuthService/changePin(in:)`` reports this event. After other calls, read
    /// ``OpenVault/foreignGuesses`` and ``OpenVault/rekeyFailure`` from the vault.
    case foundAtUnlock(ForeignGuesses?, VaultError?)
    /// The PIN's length could not be stored. It is unknown until the next unlock by PIN.
    case pinLengthNotWritten(RegistryError)
    /// The relying party's policy that the vault keeps could not be read. The profile keeps the demands that it had.
    /// After ``PolicyError/refused(_:)`` it has none, because the policy does not count any more.
    case policyNotRead(PolicyError)
    /// The relying party's policy could not be applied to the profile. The next unlock tries again.
    case policyNotApplied(RegistryError)
}
