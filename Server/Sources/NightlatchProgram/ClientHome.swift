import Foundation
package import Nightlatch
package import NightlatchPlatform
package import NightlatchWire

/// The folder with one device's vault file and keys.
package struct ClientHome: Sendable {
    package let path: String
    /// The key derivation parameters for new PINs.
    package let keyDerivation: KeyDerivationParameters
    /// Sends the requests to relying parties; nil for the transport of ``HTTPRelyingParty``.
    private let transport: (any HTTPTransport)?

    package init(
        path: String,
        keyDerivation: KeyDerivationParameters,
        transport: (any HTTPTransport)? = nil
    ) {
        self.path = path
        self.keyDerivation = keyDerivation
        self.transport = transport
    }

    package var vaultPath: String { path + "/vault" }
    package var keysPath: String { path + "/keys" }

    package var keys: SoftwareDeviceKeys { SoftwareDeviceKeys(folder: keysPath) }

    package func relyingParty(at issuer: Issuer) -> HTTPRelyingParty {
        HTTPRelyingParty(issuer: issuer, transport: transport)
    }

    package func vault(lockoutPolicy: LockoutPolicy = .login, hardener: (any PinHardener)? = nil) -> Vault {
        Vault(
            store: FileStore(path: vaultPath), clock: SystemLockoutClock(), hardener: hardener,
            configuration: VaultConfiguration(lockoutPolicy: lockoutPolicy, keyDerivation: keyDerivation))
    }
}
