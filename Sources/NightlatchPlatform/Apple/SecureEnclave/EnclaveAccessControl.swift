package import Nightlatch

/// What a key of the Secure Enclave asks for, and while the device is in which state it can be used: what a `SecAccessControl` is made of.
package struct EnclaveAccessControl: Hashable, Sendable {
    /// What must be there for a key to serve, called as the members of `SecAccessControlCreateFlags` are.
    package enum Flag: Hashable, Sendable, CaseIterable {
        case privateKeyUsage, applicationPassword, biometryCurrentSet, userPresence
    }

    package let accessible: KeychainValue.Constant
    package let flags: Set<Flag>

    package init(accessible: KeychainValue.Constant, flags: Set<Flag>) {
        self.accessible = accessible
        self.flags = flags
    }

    /// For a key that asks nobody.
    package static func silent(_ access: borrowing KeyAccess) -> Self {
        let flags: Set<Flag> =
            switch access {
            case .unattended: [.privateKeyUsage]
            case .applicationPassword: [.privateKeyUsage, .applicationPassword]
            }
        return Self(accessible: .attrAccessibleWhenUnlockedThisDeviceOnly, flags: flags)
    }

    /// For a key that agrees once a person was recognised.
    package static func agreement(releasedBy protection: BiometricProtection) -> Self {
        let presence: Flag =
            switch protection {
            case .biometricsOnly: .biometryCurrentSet
            case .biometricsOrPasscode: .userPresence
            }
        return Self(
            accessible: .attrAccessibleWhenPasscodeSetThisDeviceOnly, flags: [.privateKeyUsage, presence])
    }
}
