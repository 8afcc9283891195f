import Foundation
public import NightlatchWire

/// Logs the user of a bound device in: with the device key, or with the refresh token that the last login left in the vault.
public struct Login: Sendable {
    private let relyingParty: any RelyingParty
    private let keys: any DeviceKeys
    private let clientID: ClientID

    public init(relyingParty: any RelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
    }

    /// Answers a new challenge with the device key. The refresh token is in the vault when this returns.
    public func logIn(_ vault: OpenVault) async throws(LoginError) -> Session {
        let (binding, pair) = try await boundKeys(in: vault)
        let challenge: LoginChallenge
        do {
            challenge = try await relyingParty.beginLogin(LoginRequest(user: binding.user, device: binding.device))
        } catch {
            throw .relyingParty(error)
        }
        let claims = LoginClaims(
            issuer: clientID, subject: binding.user, audience: binding.issuer, issuedAt: challenge.issuedAt,
            expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge,
            possessionKey: pair.possessionKey.publicKey.thumbprint)
        let assertion: String
        do {
            assertion = try await pair.deviceKey.sign(claims, carryingKey: false)
        } catch {
            throw .key(error)
        }
        return try await requestTokens(
            .login(assertion: assertion, handle: challenge.handle), binding: binding, keys: pair, vault: vault)
    }

    /// Exchanges the refresh token for new tokens; logs in with the device key if there is none or it was refused.
    ///
    /// An answer that is lost costs nothing: the old refresh token stays in the vault and is good until its successor was used.
    public func resume(_ vault: OpenVault) async throws(LoginError) -> Session {
        let (binding, pair) = try await boundKeys(in: vault)
        guard let token = try await refreshToken(in: vault) else { return try await logIn(vault) }
        do {
            return try await requestTokens(.refresh(token), binding: binding, keys: pair, vault: vault)
        } catch {
            guard case .relyingParty(.refused(let refusal)) = error, refusal.code == .refreshTokenRefused else {
                throw error
            }
            return try await logIn(vault)
        }
    }

    private func boundKeys(in vault: OpenVault) async throws(LoginError) -> (DeviceBinding, BindingKeys) {
        let state: BindingState?
        let password: SecretBytes?
        do {
            state = try await vault.bindingState()
            password = try await vault.secret(named: .deviceKeyPassword)
        } catch {
            throw .vault(error)
        }
        // What is signed for one relying party, and its refresh token, are shown to no other.
        guard case .bound(let binding) = state, let password, binding.issuer == relyingParty.issuer else {
            throw .notBound
        }
        do {
            return (binding, try await .find(binding.keys, password: password, in: keys))
        } catch {
            throw .key(error)
        }
    }

    private func requestTokens(
        _ request: TokenRequest,
        binding: DeviceBinding,
        keys pair: BindingKeys,
        vault: OpenVault
    ) async throws(LoginError) -> Session {
        let proof: String
        do {
            proof = try await pair.possessionKey.dpopProof(
                for: Route.token.method, path: Route.token.path, at: binding.issuer)
        } catch {
            throw .key(error)
        }
        let grant: TokenGrant
        do {
            grant = try await relyingParty.tokens(request, proof: proof)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .deviceRevoked else {
                throw .relyingParty(error)
            }
            try await forget(binding, in: vault)
            throw .revoked
        }
        do {
            try await vault.set(SecretBytes(copying: Array(grant.refreshToken.rawValue.utf8)), named: .refreshToken)
        } catch {
            throw .vault(error)
        }
        return Session(
            user: binding.user, device: binding.device, accessToken: grant.accessToken,
            life: .seconds(grant.expiresInSeconds), relyingParty: relyingParty, possessionKey: pair.possessionKey)
    }

    private func refreshToken(in vault: OpenVault) async throws(LoginError) -> RefreshToken? {
        let secret: SecretBytes?
        do {
            secret = try await vault.secret(named: .refreshToken)
        } catch {
            throw .vault(error)
        }
        guard let secret else { return nil }
        return unsafe secret.withUnsafeBytes { unsafe RefreshToken(rawValue: String(decoding: $0, as: UTF8.self)) }
    }

    private func forget(_ binding: DeviceBinding, in vault: OpenVault) async throws(LoginError) {
        do {
            try await binding.keys.forget(keys: keys, vault: vault)
        } catch {
            switch error {
            case .key(let error): throw .key(error)
            case .vault(let error): throw .vault(error)
            }
        }
    }
}
