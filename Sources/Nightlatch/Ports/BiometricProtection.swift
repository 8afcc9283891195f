/// The proof that a keyring requires before it releases a key.
public enum BiometricProtection: Hashable, Sendable, CaseIterable {
    /// A face or a finger that was enrolled when the key was created. A change of the enrolment destroys the key.
    case biometricsOnly
    /// A face, a finger or the device's passcode.
    ///
    /// The key survives a change of the enrolment, because anyone who can enrol a face knows the passcode.
    case biometricsOrPasscode
}
