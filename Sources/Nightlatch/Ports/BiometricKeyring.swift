public import Crypto

/// Keys that a person's biometrics release, and nothing else does: P-256 keys for key agreement, each bound to the set of faces
/// and fingers that was enrolled when it was made. A keyring of ``BiometricProtection/biometricsOrPasscode`` takes the device's passcode
/// too, and its keys outlive a change of the enrolment; a vault that is to be more than the device's passcode is has no use for one.
///
/// A keyring serves one vault, as a ``SecureStore`` does. A bare yes from a sensor is worth nothing here: without the key the
/// vault stays shut.
public protocol BiometricKeyring: Sendable {
    /// Whether the person could be asked now. It never asks.
    func availability() async -> BiometricAvailability

    /// Makes a key, in the place of the one that was there. It is durable when this returns; the person is not asked.
    ///
    /// - Throws: ``BiometricError``; the old key may be gone then.
    func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey

    /// Asks the person, and opens what was sealed to the key with HPKE
    /// ([RFC 9180](https://www.rfc-editor.org/rfc/rfc9180), ``HPKEBox/biometricSuite``) and `info`.
    ///
    /// `reason` is shown to the person; it must not be empty.
    func open(
        _ box: HPKEBox,
        with key: BiometricKeyID,
        info: [UInt8],
        reason: String
    ) async throws(BiometricError) -> SecretBytes

    /// Removes a key, if it is there. The person is not asked.
    func remove(_ key: BiometricKeyID) async throws(BiometricError)
}

/// Which key of a keyring. There are two, so that a new one can be made while the old one still serves.
public enum BiometricKeyID: String, Codable, Hashable, Sendable, CaseIterable {
    case first, second

    var other: Self { self == .first ? .second : .first }
}

/// Whether a person could be asked for biometrics, and if not, why.
public enum BiometricAvailability: Hashable, Sendable, CaseIterable {
    case available
    /// The device has no sensor, or it is not connected.
    case noHardware
    /// No face or finger is enrolled.
    case notEnrolled
    /// The person does not let this app use biometrics. The system's settings can change that.
    case permissionDenied
    /// Too many failures: the system wants the device passcode first.
    case lockedOut
    /// The device has no passcode, without which the system offers no biometrics.
    case noPasscode
    /// The system does not ask now, or does not tell: the process has no screen, the sensor is under a closed lid, or the system failed.
    /// That says nothing about the device: ask again later.
    case notNow
}

/// Why biometrics released no key. In every case the PIN is the way on, and nothing was counted.
public enum BiometricError: Error, Hashable, Sendable {
    /// The person cancelled.
    case cancelled
    /// The person chose the PIN.
    case pinChosen
    /// The person was not recognised.
    case denied
    /// The person could not be asked; never ``BiometricAvailability/available``.
    case unavailable(BiometricAvailability)
    /// The key went with the enrolment to which it was bound. Biometrics can be set up again once the PIN has opened the vault.
    case enrolmentChanged
    /// The system took the prompt away, or cannot show one now. Ask again later.
    case interrupted
    /// The key does not open the box: the record was changed.
    case corrupt
    /// The system failed, with this status.
    case failed(systemStatus: Int32)
}
