import NightlatchWire

extension Login {
    /// Logs in with the keys of a pending binding, to find out whether the relying party has accepted them.
    ///
    /// The login names the user, because the device has no id yet. The vault keeps nothing of this login.
    ///
    /// ``PendingBindingLogin/unknown(at:)`` can also mean that the relying party no longer knows the app: its answer is
    /// the same.
    func logIn(
        _ pending: PendingBinding,
        of user: UserID,
        in vault: OpenVault
    ) async throws(LoginError) -> PendingBindingLogin {
        do {
            guard let pair = try await pair(of: pending, in: vault) else { return .worthless }
            let answer = try await answerChallenge(LoginRequest(user: user, device: nil), by: pair, in: vault)
            do {
                return .loggedIn(try await session(answer.request, of: user, by: pair))
            } catch .relyingParty(.refused(let refusal)) where refusal.isDecision && refusal.code == .messageRefused {
                return .unknown(at: answer.issuedAt)
            }
        } catch .relyingParty(.refused(let refusal)) where refusal.isDecision && refusal.code.endsBinding {
            return .worthless
        } catch .key(let error) where error.code == .absent || error.code == .corrupt {
            return .worthless
        }
    }

    private func session(
        _ request: TokenRequest,
        of user: UserID,
        by pair: BindingKeys
    ) async throws(LoginError) -> Session {
        let grant = try await proved(.token, by: pair) { proof throws(RelyingPartyError) in
            try await relyingParty.tokens(request, proof: proof)
        }
        let list = try await proved(.devices, by: pair, grant.accessToken) { proof throws(RelyingPartyError) in
            try await relyingParty.devices(Authorization(accessToken: grant.accessToken, proof: proof))
        }
        // The list must contain the device that sends the request. Otherwise the answer is not the relying party's.
        guard let device = list.devices.first(where: \.isCurrent) else {
            throw .relyingParty(.unintelligible(status: 200))
        }
        return Session(
            user: user, device: device.id, accessToken: grant.accessToken, life: .seconds(grant.expiresInSeconds),
            relyingParty: relyingParty, possessionKey: pair.possessionKey, policy: .unchanged)
    }

    private func proved<Answer>(
        _ route: Route,
        by pair: BindingKeys,
        _ accessToken: AccessToken? = nil,
        _ request: (_ proof: String) async throws(RelyingPartyError) -> Answer
    ) async throws(LoginError) -> Answer {
        let proved = ProvedRequest(
            key: pair.possessionKey, relyingParty: relyingParty, method: route.method, path: route.path,
            accessToken: accessToken)
        do {
            return try await proved.send(request)
        } catch {
            throw LoginError(error)
        }
    }
}
