import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchProgram
import NightlatchWire

/// A device with an open vault.
struct OpenClient: Sendable {
    let home: ClientHome
    let vault: OpenVault

    /// Asks for the PIN and opens the vault.
    static func unlock(_ home: ClientHome, _ pins: PinOptions) async throws -> OpenClient {
        let vault = try await home.presentVault()
        return OpenClient(home: home, vault: try await pins.unlock(vault, reason: "to unlock the vault").open)
    }

    /// Prints the foreign guesses and the rekey error of an unlock, if there are any.
    static func tell(_ foreign: ForeignGuesses?, _ failure: VaultError?) {
        if let foreign {
            StandardStream.writeLine(foreign.sentence(failure), to: .standardError)
        } else if let failure {
            StandardStream.writeLine(
                "NOTE: this vault could not be sealed again. \(CommandFailure(failure).message)",
                to: .standardError)
        }
    }

    static func state(of vault: Vault) async throws -> VaultState {
        do {
            return try await vault.state()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the result of ``Vault/stateForPrompt()``. An error becomes a ``CommandFailure``.
    static func stateForPrompt(of vault: Vault) async throws -> VaultState {
        do {
            return try await vault.stateForPrompt()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the binding of this device.
    func binding() async throws -> DeviceBinding {
        let binding: DeviceBinding?
        do {
            binding = try await vault.deviceBinding()
        } catch {
            throw CommandFailure(error)
        }
        guard let binding else { throw CommandFailure(LoginError.notBound) }
        return binding
    }

    /// Logs in with the device key.
    func logIn() async throws -> Session {
        let binding = try await binding()
        do {
            return try await login(at: binding).logIn(vault)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Resumes the session with the refresh token, or logs in if there is none.
    func resume() async throws -> Session {
        let binding = try await binding()
        do {
            return try await login(at: binding).resume(vault)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func login(at binding: DeviceBinding) -> Login {
        Login(relyingParty: home.relyingParty(at: binding.issuer), keys: home.keys)
    }
}
