import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// A device whose vault a PIN has opened.
struct OpenClient: Sendable {
    let home: ClientHome
    let vault: OpenVault

    /// Asks for the PIN and opens the vault.
    static func unlock(_ home: ClientHome, _ pins: PinOptions) async throws -> OpenClient {
        let vault = try await home.presentVault()
        return OpenClient(home: home, vault: try await pins.unlock(vault, reason: "to unlock the vault").open)
    }

    /// Tells what an unlock has brought to light.
    static func tell(_ foreign: ForeignGuesses?, _ failure: RekeyError?) {
        if let foreign {
            StandardStream.writeLine(foreign.sentence(failure), to: .standardError)
        } else if let failure {
            StandardStream.writeLine(
                "NOTE: this vault was to be sealed anew and was not. \(CommandFailure(failure).message)",
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

    /// As ``Vault/stateForPrompt()``.
    static func stateForPrompt(of vault: Vault) async throws -> VaultState {
        do {
            return try await vault.stateForPrompt()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The binding of this device.
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

    /// A login with the device key.
    func logIn() async throws -> Session {
        let binding = try await binding()
        do {
            return try await login(at: binding).logIn(vault)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// A session by the refresh token, or by a new login where there is none.
    func resume() async throws -> Session {
        let binding = try await binding()
        do {
            return try await login(at: binding).resume(vault)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func login(at binding: DeviceBinding) -> Login {
        Login(relyingParty: HTTPRelyingParty(issuer: binding.issuer), keys: home.keys)
    }
}
