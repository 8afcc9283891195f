/// The information that a PIN prompt shows when it asks for the PIN.
public struct PinChallenge: Hashable, Sendable {
    /// The profile whose PIN is asked for.
    public let profile: Profile
    public let purpose: Purpose
    /// The number of wrong PINs in a row so far.
    public let failureCount: Int
    /// The number of attempts left.
    public let triesLeft: Int
    /// The number of digits of the PIN, so that a PIN pad can submit it automatically; nil if the number is unknown.
    ///
    /// Do not take the number from the policy for new PINs: people whose PIN is older than the policy could not enter
    /// it.
    public let pinLength: Int?
    /// The reason why the last PIN was refused; nil on the first challenge.
    public let lastTry: PinRefusal?
    /// The time until a PIN may be tried; nil if one may be tried now.
    public let wait: Duration?
    /// Whether the person may choose biometrics (``PinAnswer/biometrics``).
    public let offersBiometrics: Bool
    /// The reason why biometrics did not open the vault just before this challenge; nil if they were not asked for.
    ///
    /// ``BiometricError/cancelled`` and ``BiometricError/pinChosen`` are the person's choice: show no message.
    public let biometricFailure: BiometricError?

    /// The reason for asking for the PIN.
    public enum Purpose: Hashable, Sendable {
        /// To open the vault, for the reason that the app gave.
        case unlock(reason: String)
        /// To choose a new PIN next.
        case changePin
    }

    public init(
        profile: Profile,
        purpose: Purpose,
        failureCount: Int,
        triesLeft: Int,
        pinLength: Int? = nil,
        lastTry: PinRefusal? = nil,
        wait: Duration? = nil,
        offersBiometrics: Bool = false,
        biometricFailure: BiometricError? = nil
    ) {
        self.profile = profile
        self.purpose = purpose
        self.failureCount = failureCount
        self.triesLeft = triesLeft
        self.pinLength = pinLength
        self.lastTry = lastTry
        self.wait = wait
        self.offersBiometrics = offersBiometrics
        self.biometricFailure = biometricFailure
    }
}

/// The information that a prompt shows when it asks for a new PIN.
public struct CreatePinChallenge: Hashable, Sendable {
    /// The profile that gets the PIN.
    public let profile: Profile
    public let purpose: Purpose
    /// The rules for new PINs.
    public let policy: PinPolicy
    /// All objections to the last PIN; empty the first time.
    public let objections: [PinObjection]

    /// The reason for choosing a PIN.
    public enum Purpose: Hashable, Sendable {
        /// The profile is being registered and has no PIN yet.
        case registration
        /// The new PIN replaces the profile's current one.
        case changePin
        /// The profile's PIN was blocked or forgotten, and the person opened the vault with another slot.
        case replaceLostPin
    }

    public init(profile: Profile, purpose: Purpose, policy: PinPolicy, objections: [PinObjection] = []) {
        self.profile = profile
        self.purpose = purpose
        self.policy = policy
        self.objections = objections
    }
}
