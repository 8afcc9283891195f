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

// Safe to send: the prompt's owner configures, evaluates once and uses the key afterwards, one after the other; the one call that comes
// from another thread is `invalidate`, which exists to end an evaluation that is under way.
private struct SharedContext: @unchecked Sendable {
    let context: LAContext
}

extension BiometrySensor {
    /// One that this library does not know is taken for one that needs permission, as all that came after Touch ID do.
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

/// The system always says why; if it does not, the code.
private func failure(_ error: (any Error)?, or code: LocalAuthenticationCode) -> AppleFailure {
    error.map { AppleFailure($0) } ?? AppleFailure(localAuthentication: code)
}

/// Only what the context was asked before is seen.
private func enrolment(seenBy context: LAContext) -> [UInt8]? {
    if #available(iOS 18, macOS 15, visionOS 2, *) {
        context.domainState.biometry.stateHash.map { [UInt8]($0) }
    } else {
        context.evaluatedPolicyDomainState.map { [UInt8]($0) }
    }
}
#endif
