public import NightlatchWire

/// Logs in the user of a bound device, with the device key or with the refresh token that the last login stored in the
/// vault.
public struct Login: Sendable {
    let relyingParty: any RelyingParty
    let keys: any DeviceKeys
    private let clientID: ClientID

    public init(relyingParty: any RelyingParty, keys: any DeviceKeys, clientID: ClientID = .default) {
        self.relyingParty = relyingParty
        self.keys = keys
        self.clientID = clientID
    }

    /// Logs in by answering a new challenge with the device key. When this returns, the vault holds the refresh token.
    public func logIn(_ vault: OpenVault) async throws(LoginError) -> Session {
        let (binding, pair) = try await boundKeys(in: vault)
        let answer = try await answerChallenge(
            LoginRequest(user: binding.user, device: binding.device), by: pair, in: vault,
            policy: try await policyRevision(of: binding, in: vault))
        return try await requestTokens(answer.request, binding: binding, keys: pair, vault: vault)
    }

    /// Signs a new challenge with the device key.
    ///
    /// - Parameters:
    ///   - request: The request for the challenge.
    ///   - pair: The keys of the device.
    ///   - vault: The vault that was opened.
    ///   - policy: The revision of the policy that the vault keeps; nil to get no policy.
    /// - Returns: The token request, and the time of the challenge by the relying party's clock.
    func answerChallenge(
        _ request: LoginRequest,
        by pair: BindingKeys,
        in vault: OpenVault,
        policy: PolicyRevision? = nil
    ) async throws(LoginError) -> (request: TokenRequest, issuedAt: NumericDate) {
        let challenge: LoginChallenge
        do {
            challenge = try await relyingParty.beginLogin(request)
        } catch {
            throw .relyingParty(error)
        }
        let claims = LoginClaims(
            issuer: clientID, subject: request.user, audience: relyingParty.issuer, issuedAt: challenge.issuedAt,
            expiresAt: challenge.issuedAt + MessageLife.ofAssertions, challenge: challenge.challenge,
            possessionKey: pair.possessionKey.publicKey.thumbprint, userVerification: await vault.userVerification)
        do {
            let assertion = try await pair.deviceKey.sign(claims, carryingKey: false)
            return (.login(assertion: assertion, handle: challenge.handle, policy: policy), challenge.issuedAt)
        } catch {
            throw .key(error)
        }
    }

    /// Exchanges the refresh token for new tokens. Logs in with the device key if there is no refresh token, or if the
    /// relying party refuses it.
    ///
    /// The token is removed from the vault before it is sent, so only one of several concurrent calls sends it, also
    /// across processes. The other calls log in. If they also sent the token, the relying party would get a token that
    /// was already replaced, and would have to treat it as stolen.
    ///
    /// If the answer is lost, the token is put back. It is valid until its successor has been used. After a crash
    /// before it is put back, the next call logs in.
    public func resume(_ vault: OpenVault) async throws(LoginError) -> Session {
        let (binding, pair) = try await boundKeys(in: vault)
        let policy = try await policyRevision(of: binding, in: vault)
        let token: RefreshToken?
        do {
            token = try await vault.takeRefreshToken(of: binding)
        } catch {
            throw .vault(error)
        }
        guard let token else { return try await logIn(vault) }
        do {
            return try await requestTokens(
                .refresh(token, policy: policy), binding: binding, keys: pair, vault: vault)
        } catch {
            switch error {
            case .relyingParty(.refused(let refusal)) where refusal.isDecision && refusal.code == .refreshTokenRefused:
                return try await logIn(vault)
            case .relyingParty, .key:
                _ = try await keep(token, of: binding, in: vault, isOfNewLogin: false)
                throw error
            case .notBound, .boundElsewhere, .revoked, .blocked, .vault:
                throw error
            }
        }
    }

    /// Ends the login: removes the refresh token from the vault, and asks the relying party to revoke it, with every
    /// access token that was issued from it.
    ///
    /// The device stays bound, and ``logIn(_:)`` starts a new login. Without a refresh token this does nothing. If the
    /// answer is lost, the token is put back, so the same call can be repeated.
    public func logOut(_ vault: OpenVault) async throws(LoginError) {
        let (binding, pair) = try await boundKeys(in: vault)
        let token: RefreshToken?
        do {
            token = try await vault.takeRefreshToken(of: binding)
        } catch {
            throw .vault(error)
        }
        guard let token else { return }
        let proved = ProvedRequest(
            key: pair.possessionKey, relyingParty: relyingParty, method: Route.revokeToken.method,
            path: Route.revokeToken.path)
        do {
            try await proved.send { proof throws(RelyingPartyError) in
                try await relyingParty.revokeToken(.refresh(token), proof: proof)
            }
        } catch {
            _ = try await keep(token, of: binding, in: vault, isOfNewLogin: false)
            throw LoginError(error)
        }
    }

    private func requestTokens(
        _ request: TokenRequest,
        binding: DeviceBinding,
        keys pair: BindingKeys,
        vault: OpenVault
    ) async throws(LoginError) -> Session {
        let proved = ProvedRequest(
            key: pair.possessionKey, relyingParty: relyingParty, method: Route.token.method, path: Route.token.path)
        let grant: TokenGrant
        do {
            grant = try await proved.send { proof throws(RelyingPartyError) in
                try await relyingParty.tokens(request, proof: proof)
            }
        } catch {
            guard case .relyingParty(.refused(let refusal)) = error, refusal.isDecision, refusal.code.endsBinding else {
                throw LoginError(error)
            }
            do {
                try await vault.forgetBinding(binding.keys, isRevoked: true, keys: keys)
            } catch {
                throw LoginError(error)
            }
            throw .revoked
        }
        let isOfNewLogin = if case .login = request { true } else { false }
        guard try await keep(grant.refreshToken, of: binding, in: vault, isOfNewLogin: isOfNewLogin)
        else { throw .notBound }
        let policy = await keptPolicy(of: grant, for: binding, in: vault)
        return Session(
            user: binding.user, device: binding.device, accessToken: grant.accessToken,
            life: .seconds(grant.expiresInSeconds), relyingParty: relyingParty, possessionKey: pair.possessionKey,
            policy: policy)
    }

    private func policyRevision(
        of binding: DeviceBinding, in vault: OpenVault
    ) async throws(LoginError) -> PolicyRevision? {
        do {
            return try await vault.policyRevision(of: binding)
        } catch {
            throw .vault(error)
        }
    }

    /// Keeps the policy that came with the tokens, if one came. The login is valid without it.
    private func keptPolicy(
        of grant: TokenGrant, for binding: DeviceBinding, in vault: OpenVault
    ) async -> DeliveredPolicy {
        guard let text = grant.policy else { return .unchanged }
        do {
            guard let kept = try await vault.keepPolicy(text, of: binding, at: clientID) else { return .unchanged }
            return .kept(kept)
        } catch {
            return .notKept(error)
        }
    }

    private func keep(
        _ token: RefreshToken,
        of binding: DeviceBinding,
        in vault: OpenVault,
        isOfNewLogin: Bool
    ) async throws(LoginError) -> Bool {
        do {
            return try await vault.keepRefreshToken(token, of: binding, isOfNewLogin: isOfNewLogin)
        } catch {
            throw .vault(error)
        }
    }
}
