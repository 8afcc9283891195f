import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchTwoPartyPin
import NightlatchWire

extension ClientHome {
    /// The hardener for PINs of this device at the relying party `issuer`.
    func twoPartyPin(at issuer: Issuer) -> TwoPartyPin {
        TwoPartyPin(relyingParty: self.relyingParty(at: issuer), keys: keys)
    }

    /// Returns the protection of the vault; nil if there is no vault.
    func protection() async throws(CommandFailure) -> VaultProtection? {
        do {
            return try await vault().protection()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the vault with the hardener that its file names. If the file names a wrong server, no PIN opens the
    /// vault.
    func presentVault() async throws(CommandFailure) -> Vault {
        let protection = try await protection()
        guard protection?.isPinProvisional != true else {
            throw CommandFailure(
                .refused,
                "The binding of this device was interrupted before its PIN was set. Run the same `nightlatch bind "
                    + "--two-party` again."
            )
        }
        guard let account = protection?.hardener?.account else { return vault() }
        return vault(hardener: twoPartyPin(at: account.issuer))
    }

    /// Erases the vault and removes all keys, which are useless without the vault.
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
