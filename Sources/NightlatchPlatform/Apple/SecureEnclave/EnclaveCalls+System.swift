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
        makeSigningKey: { access throws(AppleFailure) in
            let flags: SecAccessControlCreateFlags =
                switch access {
                case .unattended: .privateKeyUsage
                case .applicationPassword: [.privateKeyUsage, .applicationPassword]
                }
            let control = try accessControl(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags)
            let context = try silentContext(for: access)
            do {
                return signingKey(
                    try SecureEnclave.P256.Signing.PrivateKey(
                        compactRepresentable: false, accessControl: control, authenticationContext: context))
            } catch {
                throw AppleFailure(error)
            }
        },
        openSigningKey: { representation, access throws(AppleFailure) in
            let context = try silentContext(for: access)
            do {
                return signingKey(
                    try SecureEnclave.P256.Signing.PrivateKey(
                        dataRepresentation: Data(representation), authenticationContext: context))
            } catch {
                throw AppleFailure(error)
            }
        },
        makeAgreementKey: { () throws(AppleFailure) in
            let control = try accessControl(
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet])
            do {
                let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                    compactRepresentable: false, accessControl: control, authenticationContext: nil)
                return EnclaveKeyPair(
                    representation: [UInt8](key.dataRepresentation), publicKey: key.publicKey)
            } catch {
                throw AppleFailure(error)
            }
        })
}

// Safe to send: the key is a handle that never changes after it was made, and its owner signs with it one message after the other.
private struct SharedKey: @unchecked Sendable {
    let key: SecureEnclave.P256.Signing.PrivateKey
}

private func signingKey(_ key: SecureEnclave.P256.Signing.PrivateKey) -> EnclaveSigningKey {
    let shared = SharedKey(key: key)
    return EnclaveSigningKey(representation: [UInt8](key.dataRepresentation), publicKey: key.publicKey) {
        data throws(AppleFailure) in
        do {
            return [UInt8](try shared.key.signature(for: data).rawRepresentation)
        } catch {
            throw AppleFailure(error)
        }
    }
}

private func accessControl(
    _ accessibility: CFString,
    _ flags: SecAccessControlCreateFlags
) throws(AppleFailure) -> SecAccessControl {
    var error: Unmanaged<CFError>?
    guard let control = unsafe SecAccessControlCreateWithFlags(nil, accessibility, flags, &error) else {
        if let error = unsafe error?.takeRetainedValue() { throw AppleFailure(error) }
        throw AppleFailure(status: .parameter)
    }
    return control
}

/// A context that never asks a person, with the application password if the key has one: without it, or with a wrong one, the system
/// would ask for a password that nobody knows. The context keeps the password as long as the key is there.
private func silentContext(for access: borrowing KeyAccess) throws(AppleFailure) -> LAContext {
    let context = LAContext()
    context.interactionNotAllowed = true
    switch access {
    case .unattended: break
    case .applicationPassword(let password):
        let credential = unsafe password.withUnsafeBytes { bytes in unsafe Data(bytes) }
        guard context.setCredential(credential, type: .applicationPassword) else {
            throw AppleFailure(localAuthentication: .invalidContext)
        }
    }
    return context
}
#endif
