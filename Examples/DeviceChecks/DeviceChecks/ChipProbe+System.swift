import CryptoKit
import Foundation
import LocalAuthentication
import Security

extension ChipProbe {
    /// The frameworks themselves. Each call blocks its thread for a moment.
    static let system = Self(
        useWithWrongPassword: {
            do {
                let key = try newKey([.privateKeyUsage, .applicationPassword], kept: false, in: contextWithPassword())
                try use(key.dataRepresentation, in: contextWithPassword())
                return nil
            } catch {
                return SystemFailure(error)
            }
        },
        makeBiometricKey: {
            do {
                let key = try newKey([.privateKeyUsage, .biometryCurrentSet], kept: true, in: nil)
                return .success([UInt8](key.dataRepresentation))
            } catch {
                return .failure(SystemFailure(error))
            }
        },
        useBiometricKey: { representation, reason in
            let context = LAContext()
            if let failure = await evaluate(context, reason) { return .notRecognised(failure) }
            context.interactionNotAllowed = true
            do {
                try use(Data(representation), in: context)
                return .used
            } catch {
                return .refused(SystemFailure(error))
            }
        },
        enrolment: {
            let context = LAContext()
            // The hash exists only after the policy was examined.
            guard unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil) else {
                return nil
            }
            return if #available(iOS 18, macOS 15, *) {
                context.domainState.biometry.stateHash.map { [UInt8]($0) }
            } else {
                context.evaluatedPolicyDomainState.map { [UInt8]($0) }
            }
        })
}

/// - Parameter kept: Whether the key needs a passcode on the device.
private func newKey(
    _ flags: SecAccessControlCreateFlags,
    kept: Bool,
    in context: LAContext?
) throws -> SecureEnclave.P256.KeyAgreement.PrivateKey {
    let accessible =
        kept ? kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly : kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    guard let control = SecAccessControlCreateWithFlags(nil, accessible, flags, nil) else {
        throw SystemFailure(domain: "SecAccessControlCreateWithFlags", code: 0)
    }
    return try SecureEnclave.P256.KeyAgreement.PrivateKey(
        compactRepresentable: false, accessControl: control, authenticationContext: context)
}

/// Computes a shared secret with a new key of the other side.
private func use(_ representation: Data, in context: LAContext) throws {
    let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
        dataRepresentation: representation, authenticationContext: context)
    _ = try key.sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PrivateKey().publicKey)
}

/// Returns a context that shows no prompt and has a random application password.
private func contextWithPassword() throws -> LAContext {
    let context = LAContext()
    context.interactionNotAllowed = true
    let password = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    guard context.setCredential(password, type: LACredentialType.applicationPassword) else {
        throw SystemFailure(domain: "LAContext.setCredential", code: 0)
    }
    return context
}

/// Asks the user. Returns the failure, or nil if the user was recognised.
private func evaluate(_ context: LAContext, _ reason: String) async -> SystemFailure? {
    await withCheckedContinuation { continuation in
        context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) {
            isRecognised, error in
            let unknown = SystemFailure(domain: "LAContext.evaluatePolicy", code: 0)
            continuation.resume(returning: isRecognised ? nil : error.map { SystemFailure($0) } ?? unknown)
        }
    }
}
