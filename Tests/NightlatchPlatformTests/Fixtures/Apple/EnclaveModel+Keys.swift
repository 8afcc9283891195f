import Crypto
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension EnclaveModel {
    var enclave: EnclaveCalls {
        EnclaveCalls(
            isAvailable: { get(\.hasEnclave) },
            makeSigningKey: { control, settings, access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                try check(control, isPersonThere: false)
                let password = try password(of: access, control, settings)
                let representation = Self.newRepresentation()
                let key = P256.Signing.PrivateKey()
                set { $0.keys[representation] = .signing(key, control, password: password) }
                return signingKey(representation, key, password: password)
            },
            openSigningKey: { representation, settings, access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                guard settings == .silent else { throw AppleFailure(status: .parameter) }
                let known = state.withLock { $0.keys[representation] }
                guard case .signing(let key, _, password: _) = known else { throw AppleFailure(token: .corruptedData) }
                return signingKey(representation, key, password: password(of: access))
            },
            makeAgreementKey: { control, settings, access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                try check(control, isPersonThere: settings == nil)
                let representation = Self.newRepresentation()
                let key = P256.KeyAgreement.PrivateKey()
                if let settings {
                    let password = try password(of: access, control, settings)
                    set { $0.keys[representation] = .silentAgreement(key, control, password: password) }
                    return EnclaveKeyPair(representation: representation, publicKey: key.publicKey)
                }
                let (hasPasscode, enrolment) = state.withLock { ($0.hasPasscode, $0.enrolment) }
                guard hasPasscode else { throw AppleFailure(localAuthentication: .passcodeNotSet) }
                if control.flags.contains(.biometryCurrentSet), enrolment == nil {
                    throw AppleFailure(localAuthentication: .biometryNotEnrolled)
                }
                set { $0.keys[representation] = .agreement(key, control, enrolment: enrolment) }
                return EnclaveKeyPair(representation: representation, publicKey: key.publicKey)
            },
            agree: { representation, publicKey, settings, access throws(AppleFailure) in
                if let failure = failure() { throw failure }
                guard settings == .silent else { throw AppleFailure(status: .parameter) }
                let known = state.withLock { $0.keys[representation] }
                guard case .silentAgreement(let key, _, password: let right) = known else {
                    throw AppleFailure(token: .corruptedData)
                }
                guard right == password(of: access) || get(\.ignoresPasswords) else {
                    throw AppleFailure(localAuthentication: .authenticationFailed)
                }
                do {
                    return try key.sharedSecretFromKeyAgreement(with: publicKey)
                } catch {
                    throw AppleFailure(token: .badParameter)
                }
            })
    }

    /// Returns the password of an access.
    ///
    /// The key must require a password if and only if there is one, and the context must show no prompt. Every other
    /// combination is refused with `errSecParam`.
    private func password(
        of access: borrowing KeyAccess,
        _ control: EnclaveAccessControl,
        _ settings: ContextSettings
    ) throws(AppleFailure) -> [UInt8]? {
        let password = password(of: access)
        guard settings == .silent, control.flags.contains(.applicationPassword) == (password != nil) else {
            throw AppleFailure(status: .parameter)
        }
        return password
    }

    /// Checks the access control of a new key.
    ///
    /// A key is for private key usage and for this device alone. With a user it requires exactly one kind of user
    /// presence. Without a user it requires at most an application password.
    private func check(_ control: EnclaveAccessControl, isPersonThere: Bool) throws(AppleFailure) {
        let others = control.flags.subtracting([.privateKeyUsage])
        let person: Set<EnclaveAccessControl.Flag> = [.biometryCurrentSet, .userPresence]
        let accessible: KeychainValue.Constant =
            isPersonThere ? .attrAccessibleWhenPasscodeSetThisDeviceOnly : .attrAccessibleWhenUnlockedThisDeviceOnly
        let isSensible =
            isPersonThere
            ? others.count == 1 && others.isSubset(of: person) : others.isSubset(of: [.applicationPassword])
        guard control.flags.contains(.privateKeyUsage), control.accessible == accessible, isSensible else {
            throw AppleFailure(status: .parameter)
        }
    }

    private func signingKey(
        _ representation: [UInt8],
        _ key: P256.Signing.PrivateKey,
        password: [UInt8]?
    ) -> EnclaveSigningKey {
        let context = openContext()
        return EnclaveSigningKey(
            representation: representation, publicKey: key.publicKey,
            sign: { data throws(AppleFailure) in
                if let failure = failure() { throw failure }
                let known = state.withLock { $0.keys[representation] }
                guard case .signing(_, _, password: let right) = known else {
                    throw AppleFailure(token: .objectNotFound)
                }
                guard right == password else { throw AppleFailure(localAuthentication: .authenticationFailed) }
                do {
                    return [UInt8](try key.signature(for: data).rawRepresentation)
                } catch {
                    throw AppleFailure(token: .communicationError)
                }
            },
            invalidate: { set { $0.openContexts.remove(context) } })
    }

    private func password(of access: borrowing KeyAccess) -> [UInt8]? {
        switch access {
        case .unattended: nil
        case .applicationPassword(let password): [UInt8](password.sharedData())
        }
    }
}
