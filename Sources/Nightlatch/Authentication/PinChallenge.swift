/// What a person is told when they are asked for their PIN.
public struct PinChallenge: Hashable, Sendable {
    /// Whose PIN is asked for.
    public let profile: Profile
    public let purpose: Purpose
    /// Wrong PINs in a row so far.
    public let failureCount: Int
    /// How many PINs may still be tried.
    public let triesLeft: Int
    /// How many digits the PIN has, so that a pad can submit it by itself; nil if that is not known. A guess at it, from the
    /// policy for new PINs, would lock people out whose PIN is older than the policy.
    public let pinLength: Int?
    /// What became of the PIN that was answered last; nil the first time.
    public let lastTry: PinRefusal?
    /// No PIN is tried until this time has passed; nil if one may be tried now.
    public let wait: Duration?
    /// Whether ``PinAnswer/biometrics`` may be answered.
    public let offersBiometrics: Bool
    /// What became of the biometrics that were asked for just before; nil if none were. ``BiometricError/cancelled`` and
    /// ``BiometricError/pinChosen`` are the person's choice and need no word.
    public let biometricFailure: BiometricError?

    /// What the PIN is asked for.
    public enum Purpose: Hashable, Sendable {
        /// To open the vault, for the reason that the app gave.
        case unlock(reason: String)
        /// To choose another PIN next.
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

/// What a person is told when they are to choose a PIN.
public struct CreatePinChallenge: Hashable, Sendable {
    /// Whose PIN it will be.
    public let profile: Profile
    public let purpose: Purpose
    /// Which PINs may be set.
    public let policy: PinPolicy
    /// Every reason why the PIN that was answered last may not be set; none the first time.
    public let objections: [PinObjection]

    /// What the PIN is chosen for.
    public enum Purpose: Hashable, Sendable {
        /// The profile is being registered and has no PIN yet.
        case registration
        /// It takes the place of the PIN that the profile has.
        case changePin
        /// The profile's PIN was blocked or forgotten, and the person came in by another way.
        case replaceLostPin
    }

    public init(profile: Profile, purpose: Purpose, policy: PinPolicy, objections: [PinObjection] = []) {
        self.profile = profile
        self.purpose = purpose
        self.policy = policy
        self.objections = objections
    }
}
