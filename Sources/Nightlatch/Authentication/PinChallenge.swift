/// The information that a PIN prompt shows when it asks for the PIN.
public struct PinChallenge: Hashable, Sendable {
    /// The profile whose PIN is asked for.
    public let profile: Profile
    public let purpose: Purpose
    /// The failed attempts so far, and the number of attempts left.
    public let attempts: Attempts
    /// The number of digits of the PIN, so that a PIN pad can submit it automatically; nil if the number is unknown.
    ///
    /// Do not take the number from the policy for new PINs: users whose PIN is older than the policy could not enter
    /// it.
    public let pinLength: Int?
    /// Whether the user may choose biometrics (``PinAnswer/biometrics``).
    public let offersBiometrics: Bool
    /// The reason why biometrics did not open the vault just before this challenge; nil if they were not asked for.
    ///
    /// ``BiometricError/cancelled`` and ``BiometricError/pinChosen`` are the user's choice: show no message.
    public let biometricFailure: BiometricError?

    /// The reason for asking for the PIN.
    public enum Purpose: Hashable, Sendable {
        /// To open the vault, for the reason that the app gave.
        case unlock(reason: String)
        /// To choose a new PIN next.
        case changePin
    }

    /// The failed attempts so far, and the number of attempts left.
    public struct Attempts: Hashable, Sendable {
        /// The number of wrong PINs in a row so far.
        public let failureCount: Int
        /// The number of attempts left.
        public let triesLeft: Int
        /// The reason why the last PIN was refused; nil on the first challenge.
        public let lastTry: PinRefusal?
        /// The time until a PIN may be tried; nil if one may be tried now.
        public let wait: Duration?
        /// The effect of the next wrong PIN, if ``triesLeft`` is 1. Nil if more attempts are left.
        ///
        /// It is the policy's ``LockoutPolicy/end``, or ``LockoutEnd/newCredentials`` if the policy wants a recovery
        /// phrase and the vault has none.
        public let end: LockoutEnd?

        public init(
            failureCount: Int,
            triesLeft: Int,
            lastTry: PinRefusal? = nil,
            wait: Duration? = nil,
            end: LockoutEnd? = nil
        ) {
            self.failureCount = failureCount
            self.triesLeft = triesLeft
            self.lastTry = lastTry
            self.wait = wait
            self.end = end
        }
    }

    public init(
        profile: Profile,
        purpose: Purpose,
        attempts: Attempts,
        pinLength: Int? = nil,
        offersBiometrics: Bool = false,
        biometricFailure: BiometricError? = nil
    ) {
        self.profile = profile
        self.purpose = purpose
        self.attempts = attempts
        self.pinLength = pinLength
        self.offersBiometrics = offersBiometrics
        self.biometricFailure = biometricFailure
    }
}

/// The information that a prompt shows when it asks for a new PIN.
public struct CreatePinChallenge: Hashable, Sendable {
    /// The profile that gets the PIN.
    public let profile: Profile
    public let purpose: Purpose
    package let rules: NewPinRules
    /// The policy for new PINs.
    public var policy: PinPolicy { rules.policy }
    /// All objections to the last PIN; empty the first time.
    public let objections: [PinObjection]

    /// The reason for choosing a PIN.
    public enum Purpose: Hashable, Sendable {
        /// The profile is being registered and has no PIN yet.
        case registration
        /// The new PIN replaces the profile's current one.
        case changePin
        /// The profile's PIN was blocked or forgotten, and the user opened the vault with another slot.
        case replaceLostPin
    }

    /// Creates a challenge.
    ///
    /// The new PIN must differ from the one in `current`, if that is known. Take the PIN out of the box when the user
    /// has chosen: the challenge then contains nothing of it.
    public init(
        profile: Profile,
        purpose: Purpose,
        policy: PinPolicy,
        objections: [PinObjection] = [],
        current: PinBox? = nil
    ) {
        self.init(
            profile: profile, purpose: purpose, rules: NewPinRules(policy, otherThan: current), objections: objections)
    }

    init(profile: Profile, purpose: Purpose, rules: NewPinRules, objections: [PinObjection]) {
        self.profile = profile
        self.purpose = purpose
        self.rules = rules
        self.objections = objections
    }

    /// Returns the reasons to refuse `pin`, from the policy, the comparison with the current PIN, and the app's own
    /// rule.
    ///
    /// A prompt that asks for the PIN twice calls this after the first time, so that the user does not repeat a PIN
    /// that is refused. The library checks the answer in any case.
    public func objections(to pin: borrowing Pin) -> [PinObjection] { rules.objections(to: pin) }
}
