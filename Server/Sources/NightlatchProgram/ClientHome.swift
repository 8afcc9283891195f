import Foundation
package import Nightlatch
package import NightlatchPlatform

/// The folder with the vault's file and the keys of one device.
package struct ClientHome: Sendable {
    package let path: String
    /// The key derivation parameters for PINs that are set from now on.
    package let keyDerivation: KeyDerivationParameters

    package init(path: String, keyDerivation: KeyDerivationParameters) {
        self.path = path
        self.keyDerivation = keyDerivation
    }

    package var vaultPath: String { path + "/vault" }
    package var keysPath: String { path + "/keys" }

    package var keys: SoftwareDeviceKeys { SoftwareDeviceKeys(folder: keysPath) }

    package func vault(lockoutPolicy: LockoutPolicy = .login, hardener: (any PinHardener)? = nil) -> Vault {
        Vault(
            store: FileStore(path: vaultPath), clock: SystemLockoutClock(), lockoutPolicy: lockoutPolicy,
            keyDerivation: keyDerivation, hardener: hardener)
    }
}
