package import Nightlatch

/// The arguments of a `SecAccessControl`: the requirements of a key, and the device states in which it is usable.
package struct EnclaveAccessControl: Hashable, Sendable {
    /// A requirement of a key, with the name of the member in `SecAccessControlCreateFlags`.
    package enum Flag: Hashable, Sendable, CaseIterable {
        case privateKeyUsage, applicationPassword, biometryCurrentSet, userPresence
    }

    package let accessible: KeychainValue.Constant
    package let flags: Set<Flag>

    package init(accessible: KeychainValue.Constant, flags: Set<Flag>) {
        self.accessible = accessible
        self.flags = flags
    }

    /// Returns the access control of a key that the chip uses without asking the user.
    package static func silent(_ access: borrowing KeyAccess) -> Self {
        let flags: Set<Flag> =
            switch access {
            case .unattended: [.privateKeyUsage]
            case .applicationPassword: [.privateKeyUsage, .applicationPassword]
            }
        return Self(accessible: .attrAccessibleWhenUnlockedThisDeviceOnly, flags: flags)
    }

    /// Returns the access control of a key for key agreement. The user releases it with biometrics or, if `protection`
    /// allows it, with the passcode.
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
