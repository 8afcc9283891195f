package import Crypto

/// The calls into LocalAuthentication, and those of the Secure Enclave that ask a user.
package struct BiometryCalls: Sendable {
    /// Returns the state of biometrics for a policy, without asking the user.
    package let state: @Sendable (BiometryPolicy) -> BiometryState
    /// Returns a new prompt with its own `LAContext`, for one use.
    package let makePrompt: @Sendable () -> BiometryPrompt

    package init(
        state: @escaping @Sendable (BiometryPolicy) -> BiometryState,
        makePrompt: @escaping @Sendable () -> BiometryPrompt
    ) {
        self.state = state
        self.makePrompt = makePrompt
    }
}

/// A method of authenticating a user, with the name of the case in `LAPolicy`.
package enum BiometryPolicy: Hashable, Sendable, CaseIterable {
    /// Face or finger.
    case deviceOwnerAuthenticationWithBiometrics
    /// Face or finger, or the device's passcode.
    case deviceOwnerAuthentication
}

/// The result of `canEvaluatePolicy`.
package struct BiometryState: Hashable, Sendable {
    /// The reason why the user cannot be asked now. Nil if the user can be asked.
    package let failure: AppleFailure?
    /// The device's sensor, usable or not.
    package let sensor: BiometrySensor
    /// A hash of the enrolled faces and fingers. It is a hint, because a major system update may change it.
    package let enrolment: [UInt8]?

    package init(failure: AppleFailure?, sensor: BiometrySensor, enrolment: [UInt8]?) {
        self.failure = failure
        self.sensor = sensor
        self.enrolment = enrolment
    }
}

/// A sensor, with the name of the case in `LABiometryType`.
package enum BiometrySensor: Hashable, Sendable, CaseIterable {
    case none, touchID, faceID, opticID

    /// Whether a user can deny an app the use of the sensor. Touch ID has no such setting.
    package var needsPermission: Bool {
        switch self {
        case .faceID, .opticID: true
        case .none, .touchID: false
        }
    }
}

/// One prompt, and one use of a key after the user was recognised.
package struct BiometryPrompt: Sendable {
    /// Applies settings to the context, before the prompt and again before the key is used.
    package let configure: @Sendable (ContextSettings) -> Void
    /// Asks the user, with a reason that is not empty. Replies once, with nil if the user was recognised.
    package let evaluate: @Sendable (BiometryPolicy, String, @escaping @Sendable (AppleFailure?) -> Void) -> Void
    // Returns a result instead of throwing, for the reason given in `EnclaveCalls`.
    private let agreement: @Sendable ([UInt8], P256.KeyAgreement.PublicKey) -> Result<SharedSecret, AppleFailure>
    /// Ends the prompt and its recognition. It may be called at any time and more than once.
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

    /// Computes the shared secret of the key with this representation and a public key. Blocks the thread.
    package func sharedSecret(
        _ representation: [UInt8],
        _ publicKey: P256.KeyAgreement.PublicKey
    ) throws(AppleFailure) -> SharedSecret {
        try agreement(representation, publicKey).get()
    }
}
