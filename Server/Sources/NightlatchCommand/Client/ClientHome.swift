import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTwoPartyPin
import NightlatchWire

/// Where this command keeps what belongs to one device: the vault's file, and a folder with the keys.
struct ClientHome: Sendable {
    let path: String
    /// What the vault's PIN is stretched with from now on.
    let keyDerivation: KeyDerivationParameters

    var vaultPath: String { path + "/vault" }
    var keysPath: String { path + "/keys" }

    var keys: SoftwareDeviceKeys { SoftwareDeviceKeys(folder: keysPath) }

    func vault(lockoutPolicy: LockoutPolicy = .login, hardener: (any PinHardener)? = nil) -> Vault {
        Vault(
            store: FileStore(path: vaultPath), clock: SystemLockoutClock(), lockoutPolicy: lockoutPolicy,
            keyDerivation: keyDerivation, hardener: hardener)
    }

    /// The part that the relying party `issuer` has in the PIN.
    func twoPartyPin(at issuer: Issuer) -> TwoPartyPin {
        TwoPartyPin(relyingParty: HTTPRelyingParty(issuer: issuer), keys: keys)
    }

    /// What protects the vault that is here, or nil if there is none.
    func protection() async throws(CommandFailure) -> VaultProtection? {
        do {
            return try await vault().protection()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The vault that is here, with what its PIN hangs on: a file can name another server, which then can open nothing.
    func presentVault() async throws(CommandFailure) -> Vault {
        let protection = try await protection()
        guard protection?.isPinProvisional != true else {
            throw CommandFailure(
                .refused,
                "The registration of this device was cut off before its PIN was set. Run the same `nightlatch register --two-party` again."
            )
        }
        guard let account = protection?.hardener?.account else { return vault() }
        return vault(hardener: twoPartyPin(at: account.issuer))
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
