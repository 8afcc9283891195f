#if canImport(CryptoKit) && canImport(LocalAuthentication) && canImport(Security) && !os(tvOS) && !os(watchOS)
import CryptoKit
import Foundation
import LocalAuthentication
import Nightlatch
import Security

extension EnclaveCalls {
    /// The Secure Enclave of this device.
    package static let system = Self(
        isAvailable: { SecureEnclave.isAvailable },
        makeSigningKey: { control, settings, access throws(AppleFailure) in
            let control = try accessControl(control)
            let context = try context(settings, access)
            do {
                return signingKey(
                    try SecureEnclave.P256.Signing.PrivateKey(
                        compactRepresentable: false, accessControl: control, authenticationContext: context), context)
            } catch {
                throw AppleFailure(error)
            }
        },
        openSigningKey: { representation, settings, access throws(AppleFailure) in
            let context = try context(settings, access)
            do {
                return signingKey(
                    try SecureEnclave.P256.Signing.PrivateKey(
                        dataRepresentation: Data(representation), authenticationContext: context), context)
            } catch {
                throw AppleFailure(error)
            }
        },
        makeAgreementKey: { control, settings, access throws(AppleFailure) in
            let control = try accessControl(control)
            var used: LAContext?
            if let settings { used = try context(settings, access) }
            defer { used?.invalidate() }
            do {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    compactRepresentable: false, accessControl: control, authenticationContext: used)
                return EnclaveKeyPair(
                    representation: [UInt8](key.dataRepresentation), publicKey: key.publicKey)
            } catch {
                throw AppleFailure(error)
            }
        },
        agree: { representation, publicKey, settings, access throws(AppleFailure) in
            let context = try context(settings, access)
            defer { context.invalidate() }
            do {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    dataRepresentation: Data(representation), authenticationContext: context)
                return try key.sharedSecretFromKeyAgreement(with: publicKey)
            } catch {
                throw AppleFailure(error)
            }
        })
}

// Safe to send: the key is an immutable handle, its owner signs one message at a time, and the context is invalidated
// only after the last owner is gone.
private struct SharedKey: @unchecked Sendable {
    let key: SecureEnclave.P256.Signing.PrivateKey
    let context: LAContext
}

private func signingKey(_ key: SecureEnclave.P256.Signing.PrivateKey, _ context: LAContext) -> EnclaveSigningKey {
    let shared = SharedKey(key: key, context: context)
    return EnclaveSigningKey(
        representation: [UInt8](key.dataRepresentation), publicKey: key.publicKey,
        sign: { data throws(AppleFailure) in
            do {
                return [UInt8](try shared.key.signature(for: data).rawRepresentation)
            } catch {
                throw AppleFailure(error)
            }
        },
        invalidate: { shared.context.invalidate() })
}

private func accessControl(_ control: EnclaveAccessControl) throws(AppleFailure) -> SecAccessControl {
    var flags: SecAccessControlCreateFlags = []
    for flag in control.flags { flags.insert(systemFlag(flag)) }
    var error: Unmanaged<CFError>?
    guard let made = unsafe SecAccessControlCreateWithFlags(nil, cfString(control.accessible), flags, &error) else {
        if let error = unsafe error?.takeRetainedValue() { throw AppleFailure(error) }
        throw AppleFailure(status: .parameter)
    }
    return made
}

private func systemFlag(_ flag: EnclaveAccessControl.Flag) -> SecAccessControlCreateFlags {
    switch flag {
    case .privateKeyUsage: .privateKeyUsage
    case .applicationPassword: .applicationPassword
    case .biometryCurrentSet: .biometryCurrentSet
    case .userPresence: .userPresence
    }
}

/// Returns a context with the key's application password, if there is one. It keeps the password until it is
/// invalidated.
private func context(
    _ settings: ContextSettings,
    _ access: borrowing KeyAccess
) throws(AppleFailure) -> LAContext {
    let context = LAContext()
    settings.apply(to: context)
    switch access {
    case .unattended: break
    case .applicationPassword(let password):
        guard context.setCredential(password.sharedData(), type: LACredentialType.applicationPassword) else {
            throw AppleFailure(localAuthentication: .invalidContext)
        }
    }
    return context
}
#endif
