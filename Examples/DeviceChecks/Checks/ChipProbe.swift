/// Calls into Security, CryptoKit and LocalAuthentication whose codes the public API does not report.
public struct ChipProbe: Sendable {
    /// Makes a key for key agreement with an application password, and uses it with another password. Returns the
    /// failure, or nil if the chip used the key.
    public let useWithWrongPassword: @Sendable () async -> SystemFailure?
    /// Makes a key for key agreement that needs the enrolled faces and fingers (`biometryCurrentSet`). Returns its
    /// representation.
    public let makeBiometricKey: @Sendable () async -> Result<[UInt8], SystemFailure>
    /// Asks the user, then uses the key with this representation. Returns the failure of either.
    public let useBiometricKey: @Sendable ([UInt8], String) async -> BiometricUse
    /// Returns the hash of the enrolment, if the system has one.
    public let enrolment: @Sendable () -> [UInt8]?

    public init(
        useWithWrongPassword: @escaping @Sendable () async -> SystemFailure?,
        makeBiometricKey: @escaping @Sendable () async -> Result<[UInt8], SystemFailure>,
        useBiometricKey: @escaping @Sendable ([UInt8], String) async -> BiometricUse,
        enrolment: @escaping @Sendable () -> [UInt8]?
    ) {
        self.useWithWrongPassword = useWithWrongPassword
        self.makeBiometricKey = makeBiometricKey
        self.useBiometricKey = useBiometricKey
        self.enrolment = enrolment
    }
}

/// The result of a prompt and of the use of a key after it.
public enum BiometricUse: Hashable, Sendable {
    case used
    /// The user was not recognised, or cancelled.
    case notRecognised(SystemFailure)
    /// The user was recognised, and the chip refused the key.
    case refused(SystemFailure)
}
