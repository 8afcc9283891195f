import Foundation
import Nightlatch
import NightlatchPlatform

/// Where this command keeps what belongs to one device: the vault's file, and a folder with the keys.
struct ClientHome: Sendable {
    let path: String
    /// What the vault's PIN is stretched with from now on.
    let keyDerivation: KeyDerivationParameters

    var vaultPath: String { path + "/vault" }
    var keysPath: String { path + "/keys" }

    var keys: SoftwareDeviceKeys { SoftwareDeviceKeys(folder: keysPath) }

    func vault(lockoutPolicy: LockoutPolicy = .login) -> Vault {
        Vault(
            store: FileStore(path: vaultPath), clock: SystemLockoutClock(), lockoutPolicy: lockoutPolicy,
            keyDerivation: keyDerivation)
    }

    /// Removes the vault and every key, which without the vault are worth nothing.
    func erase() async throws {
        do {
            try await vault().erase()
        } catch {
            throw CommandFailure(error)
        }
        guard FileManager.default.fileExists(atPath: keysPath) else { return }
        do {
            try FileManager.default.removeItem(atPath: keysPath)
        } catch {
            throw CommandFailure(.unavailable, "The keys in \(keysPath) cannot be removed.")
        }
    }
}
