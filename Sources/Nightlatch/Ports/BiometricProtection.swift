/// What a keyring must ask for before it releases a key.
public enum BiometricProtection: Hashable, Sendable, CaseIterable {
    /// Face or finger, those that are enrolled when the key is made. With a change of the enrolment the key goes.
    case biometricsOnly
    /// Face or finger, or the device's passcode. A change of the enrolment leaves the key: who may enrol a face knows the passcode.
    case biometricsOrPasscode
}
