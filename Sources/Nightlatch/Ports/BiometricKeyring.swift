public import Crypto

/// P-256 key agreement keys that only the user's biometrics release.
///
/// Each key is bound to the faces and fingers that were enrolled when it was created. The exception is a keyring of
/// ``BiometricProtection/biometricsOrPasscode``: the device's passcode also releases its keys, and they survive a
/// change of the enrolment. Do not use such a keyring for a vault that must be safer than the device's passcode.
///
/// A keyring serves one vault, as a ``SecureStore`` does. A positive answer of the sensor alone opens nothing: the
/// vault stays locked without the key.
public protocol BiometricKeyring: Sendable {
    /// Returns whether the user could be asked now. There is no prompt.
    func availability() async -> BiometricAvailability

    /// Creates a key, which replaces an existing one. The key is durable when this returns. There is no prompt.
    ///
    /// - Throws: ``BiometricError``; the old key may be gone then.
    func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey

    /// Asks the user, and opens a box that was sealed to the key with HPKE
    /// ([RFC 9180](https://www.rfc-editor.org/rfc/rfc9180), ``HPKEBox/biometricSuite``) and `info`.
    ///
    /// `reason` is shown to the user; it must not be empty.
    func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes

    /// Removes a key, if it exists. There is no prompt.
    func remove(_ key: BiometricKeyID) async throws(BiometricError)
}

/// Identifies a key of a keyring. There are two keys, so that a new one can be created while the old one is still in
/// use.
public enum BiometricKeyID: String, Codable, Hashable, Sendable, CaseIterable {
    case first, second

    var other: Self { self == .first ? .second : .first }
}

/// The availability of biometrics: whether the user could be asked now, or the reason why not.
public enum BiometricAvailability: Hashable, Sendable, CaseIterable {
    case available
    /// The device has no sensor, or it is not connected.
    case noHardware
    /// No face or finger is enrolled.
    case notEnrolled
    /// The user does not allow this app to use biometrics. The system's settings can change that.
    case permissionDenied
    /// After too many failed attempts the system requires the device's passcode first.
    case lockedOut
    /// The device has no passcode. Without one the system offers no biometrics.
    case noPasscode
    /// The system cannot ask now, or does not say: the process has no screen, the sensor is under a closed lid, or the
    /// system failed.
    ///
    /// This says nothing about the device. Ask again later.
    case notNow
}

/// An error that kept biometrics from releasing a key. In every case no attempt was counted, and the PIN is the
/// fallback.
public enum BiometricError: Error, Hashable, Sendable {
    /// The user cancelled.
    case cancelled
    /// The user chose the PIN.
    case pinChosen
    /// The user was not recognised.
    case notRecognised
    /// The user could not be asked, for this reason; never ``BiometricAvailability/available``.
    case unavailable(BiometricAvailability)
    /// The enrolment changed, and the key that was bound to it is gone. Biometrics can be set up again once the PIN has
    /// opened the vault.
    case enrolmentChanged
    /// The system dismissed the prompt, or cannot show one now. Ask again later.
    case interrupted
    /// The key does not open the box: the record was changed.
    case corrupt
    /// The system failed, with this status.
    case failed(systemStatus: Int32)
}
