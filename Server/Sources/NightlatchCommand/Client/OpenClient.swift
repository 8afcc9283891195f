import Nightlatch
import NightlatchPlatform
import NightlatchWire

/// A device whose vault a PIN has opened.
struct OpenClient: Sendable {
    let home: ClientHome
    let vault: OpenVault

    /// Asks for the PIN and opens the vault.
    static func unlock(_ home: ClientHome, _ pins: PinOptions) async throws -> OpenClient {
        try await requirePinMayBeTried(on: home.vault())
        return try await unlock(home, with: try pins.readPin("PIN: "))
    }

    /// Throws if there is nothing to type a PIN for now. Asked before anybody types one.
    static func requirePinMayBeTried(on vault: Vault) async throws {
        switch try await state(of: vault) {
        case .absent: throw CommandFailure(UnlockError.noVault)
        case .waiting(let wait, let triesLeft):
            throw CommandFailure(.refused, PinRefusal.waiting(wait, triesLeft: triesLeft).sentence)
        case .blocked(let unblocking): throw CommandFailure(.refused, unblocking.sentence)
        case .ready: break
        }
    }

    static func unlock(_ home: ClientHome, with pin: consuming Pin) async throws -> OpenClient {
        do {
            return OpenClient(home: home, vault: try await home.vault().unlock(with: pin))
        } catch {
            throw CommandFailure(error)
        }
    }

    static func state(of vault: Vault) async throws -> VaultState {
        do {
            return try await vault.state()
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
