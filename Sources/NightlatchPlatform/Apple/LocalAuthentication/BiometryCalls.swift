package import Crypto

/// The calls into LocalAuthentication, and those of the Secure Enclave that ask a person, and nothing else.
package struct BiometryCalls: Sendable {
    /// How things stand, without asking anybody.
    package let state: @Sendable () -> BiometryState
    /// A new prompt with these titles on its buttons: one `LAContext`, for one use.
    package let makePrompt: @Sendable (BiometricPromptTitles) -> BiometryPrompt

    package init(
        state: @escaping @Sendable () -> BiometryState,
        makePrompt: @escaping @Sendable (BiometricPromptTitles) -> BiometryPrompt
    ) {
        self.state = state
        self.makePrompt = makePrompt
    }
}

/// What `canEvaluatePolicy` says of biometrics.
package struct BiometryState: Hashable, Sendable {
    /// Nil if a person could be asked now.
    package let failure: AppleFailure?
    /// Whether the device has a sensor, usable or not.
    package let hasSensor: Bool
    /// A hash of the faces and fingers enrolled. A major version of the system may give the same ones another, so it is a hint.
    package let enrolment: [UInt8]?

    package init(failure: AppleFailure?, hasSensor: Bool, enrolment: [UInt8]?) {
        self.failure = failure
        self.hasSensor = hasSensor
        self.enrolment = enrolment
    }
}

/// One prompt, and what may be done without another once the person was recognised.
package struct BiometryPrompt: Sendable {
    /// Asks the person, with a reason that is not empty, and replies once, with nil if they were recognised.
    package let evaluate: @Sendable (String, @escaping @Sendable (AppleFailure?) -> Void) -> Void
    /// The secret that the key with this representation agrees with a public key. It blocks.
    package let sharedSecret: @Sendable ([UInt8], P256.KeyAgreement.PublicKey) throws(AppleFailure) -> SharedSecret
    /// Takes the prompt away, and the recognition with it. May be called at any time, more than once too.
    package let invalidate: @Sendable () -> Void

    package init(
        evaluate: @escaping @Sendable (String, @escaping @Sendable (AppleFailure?) -> Void) -> Void,
        sharedSecret: @escaping @Sendable ([UInt8], P256.KeyAgreement.PublicKey) throws(AppleFailure) -> SharedSecret,
        invalidate: @escaping @Sendable () -> Void
    ) {
        self.evaluate = evaluate
        self.sharedSecret = sharedSecret
        self.invalidate = invalidate
    }
}
