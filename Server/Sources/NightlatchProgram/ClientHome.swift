import Foundation
package import Nightlatch
package import NightlatchPlatform

/// The folder with one device's vault file and keys.
package struct ClientHome: Sendable {
    package let path: String
    /// The key derivation parameters for new PINs.
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
            store: FileStore(path: vaultPath), clock: SystemLockoutClock(), hardener: hardener,
            configuration: VaultConfiguration(lockoutPolicy: lockoutPolicy, keyDerivation: keyDerivation))
    }
}
