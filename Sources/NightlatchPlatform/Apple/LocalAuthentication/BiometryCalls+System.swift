#if canImport(CryptoKit) && canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import CryptoKit
import Foundation
import LocalAuthentication

extension BiometryCalls {
    /// The sensor of this device.
    package static let system = Self(
        state: { policy in
            let context = LAContext()
            var error: NSError?
            let isPossible = unsafe context.canEvaluatePolicy(systemPolicy(policy), error: &error)
            return BiometryState(
                failure: isPossible ? nil : failure(error, or: .biometryNotAvailable),
                sensor: BiometrySensor(context.biometryType),
                enrolment: enrolment(seenBy: context))
        },
        makePrompt: {
            let shared = SharedContext(context: LAContext())
            return BiometryPrompt(
                configure: { $0.apply(to: shared.context) },
                evaluate: { policy, reason, reply in
                    shared.context.evaluatePolicy(systemPolicy(policy), localizedReason: reason) {
                        isRecognised, error in
                        reply(isRecognised ? nil : failure(error, or: .authenticationFailed))
                    }
                },
                sharedSecret: { representation, publicKey throws(AppleFailure) in
                    do {
                        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                            dataRepresentation: Data(representation), authenticationContext: shared.context)
                        return try key.sharedSecretFromKeyAgreement(with: publicKey)
                    } catch {
                        throw AppleFailure(error)
                    }
                },
                invalidate: { shared.context.invalidate() })
        })
}

// Safe to send: the prompt's owner configures the context, evaluates it once and then uses the key, one after the
// other. Only `invalidate` is called from another thread; it exists to end a running evaluation.
private struct SharedContext: @unchecked Sendable {
    let context: LAContext
}

extension BiometrySensor {
    /// Converts a sensor type. An unknown type counts as needing permission, like all types that came after Touch ID.
    fileprivate init(_ type: LABiometryType) {
        self =
            switch type {
            case .none: .none
            case .touchID: .touchID
            case .faceID: .faceID
            case .opticID: .opticID
            @unknown default: .faceID
            }
    }
}

private func systemPolicy(_ policy: BiometryPolicy) -> LAPolicy {
    switch policy {
    case .deviceOwnerAuthenticationWithBiometrics: .deviceOwnerAuthenticationWithBiometrics
    case .deviceOwnerAuthentication: .deviceOwnerAuthentication
    }
}

/// The system's reason for a failure, or `code` if the system gives none.
private func failure(_ error: (any Error)?, or code: LocalAuthenticationCode) -> AppleFailure {
    error.map { AppleFailure($0) } ?? AppleFailure(localAuthentication: code)
}

/// The hash of the enrolment. The context must have evaluated or checked a policy before.
private func enrolment(seenBy context: LAContext) -> [UInt8]? {
    if #available(iOS 18, macOS 15, visionOS 2, *) {
        context.domainState.biometry.stateHash.map { [UInt8]($0) }
    } else {
        context.evaluatedPolicyDomainState.map { [UInt8]($0) }
    }
}
#endif
