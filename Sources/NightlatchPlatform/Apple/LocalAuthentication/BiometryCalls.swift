package import Crypto

/// The calls into LocalAuthentication, and those of the Secure Enclave that ask a person, and nothing else.
package struct BiometryCalls: Sendable {
    /// How things stand for a policy, without asking anybody.
    package let state: @Sendable (BiometryPolicy) -> BiometryState
    /// A new prompt: one `LAContext`, for one use.
    package let makePrompt: @Sendable () -> BiometryPrompt

    package init(
        state: @escaping @Sendable (BiometryPolicy) -> BiometryState,
        makePrompt: @escaping @Sendable () -> BiometryPrompt
    ) {
        self.state = state
        self.makePrompt = makePrompt
    }
}

/// What a person is asked for, called as the cases of `LAPolicy` are.
package enum BiometryPolicy: Hashable, Sendable, CaseIterable {
    /// Face or finger.
    case deviceOwnerAuthenticationWithBiometrics
    /// Face or finger, or the device's passcode.
    case deviceOwnerAuthentication
}

/// What `canEvaluatePolicy` says.
package struct BiometryState: Hashable, Sendable {
    /// Nil if a person could be asked now.
    package let failure: AppleFailure?
    /// The sensor that the device has, usable or not.
    package let sensor: BiometrySensor
    /// A hash of the faces and fingers enrolled. A major version of the system may give the same ones another, so it is a hint.
    package let enrolment: [UInt8]?

    package init(failure: AppleFailure?, sensor: BiometrySensor, enrolment: [UInt8]?) {
        self.failure = failure
        self.sensor = sensor
        self.enrolment = enrolment
    }
}

/// A sensor, called as the cases of `LABiometryType` are.
package enum BiometrySensor: Hashable, Sendable, CaseIterable {
    case none, touchID, faceID, opticID

    /// Whether a person can keep it from an app. There is no such setting for a finger.
    package var needsPermission: Bool {
        switch self {
        case .faceID, .opticID: true
        case .none, .touchID: false
        }
    }
}

/// One prompt, and what may be done without another once the person was recognised.
package struct BiometryPrompt: Sendable {
    /// Tells the context all that is in the settings, before it asks and again before the key is used.
    package let configure: @Sendable (ContextSettings) -> Void
    /// Asks the person, with a reason that is not empty, and replies once, with nil if they were recognised.
    package let evaluate: @Sendable (BiometryPolicy, String, @escaping @Sendable (AppleFailure?) -> Void) -> Void
    // A result, for the reason that `EnclaveCalls` gives.
    private let agreement: @Sendable ([UInt8], P256.KeyAgreement.PublicKey) -> Result<SharedSecret, AppleFailure>
    /// Takes the prompt away, and the recognition with it. May be called at any time, more than once too.
    package let invalidate: @Sendable () -> Void

    package init(
        configure: @escaping @Sendable (ContextSettings) -> Void,
        evaluate: @escaping @Sendable (BiometryPolicy, String, @escaping @Sendable (AppleFailure?) -> Void) -> Void,
        sharedSecret: @escaping @Sendable ([UInt8], P256.KeyAgreement.PublicKey) throws(AppleFailure) -> SharedSecret,
        invalidate: @escaping @Sendable () -> Void
    ) {
        self.configure = configure
        self.evaluate = evaluate
        agreement = { representation, publicKey in
            do throws(AppleFailure) {
                return .success(try sharedSecret(representation, publicKey))
            } catch {
                return .failure(error)
            }
        }
        self.invalidate = invalidate
    }

    /// The secret that the key with this representation agrees with a public key. It blocks.
    package func sharedSecret(
        _ representation: [UInt8],
        _ publicKey: P256.KeyAgreement.PublicKey
    ) throws(AppleFailure) -> SharedSecret {
        try agreement(representation, publicKey).get()
    }
}
