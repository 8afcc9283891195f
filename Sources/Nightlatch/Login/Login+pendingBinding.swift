import NightlatchWire

extension Login {
    /// Logs in with the keys of a binding of which nobody here knows whether the relying party has made it: by the user's name, since there
    /// is no device's id yet. The vault keeps nothing of this login.
    ///
    /// - Returns: Nil if the relying party knows no such device of the user, or has revoked it; also if the keys are gone.
    func logIn(_ pending: PendingBinding, of user: UserID, in vault: OpenVault) async throws(LoginError) -> Session? {
        guard let pair = try await keys(of: pending, in: vault) else { return nil }
        let answer = try await answerChallenge(LoginRequest(user: user, device: nil), by: pair, in: vault)
        var proved = ProvedRequest(
            key: pair.possessionKey, relyingParty: relyingParty, method: Route.token.method, path: Route.token.path)
        let grant: TokenGrant
        do {
            grant = try await proved.send { proof throws(RelyingPartyError) in
                try await relyingParty.tokens(answer, proof: proof)
            }
        } catch {
            guard case .relyingParty(.refused(let refusal)) = error, refusal.isDecision,
                refusal.code == .messageRefused || refusal.code.endsBinding
            else { throw LoginError(error) }
            return nil
        }
        proved = ProvedRequest(
            key: pair.possessionKey, relyingParty: relyingParty, method: Route.devices.method,
            path: Route.devices.path, accessToken: grant.accessToken)
        let list: DeviceList
        do {
            list = try await proved.send { proof throws(RelyingPartyError) in
                try await relyingParty.devices(Authorization(accessToken: grant.accessToken, proof: proof))
            }
        } catch {
            throw LoginError(error)
        }
        guard let device = list.devices.first(where: \.isCurrent) else { return nil }
        return Session(
            user: user, device: device.id, accessToken: grant.accessToken, life: .seconds(grant.expiresInSeconds),
            relyingParty: relyingParty, possessionKey: pair.possessionKey)
    }

    /// Nil if they are not there or cannot be used ever again, and if the binding is under way no more.
    private func keys(
        of pending: PendingBinding,
        in vault: OpenVault
    ) async throws(LoginError) -> BindingKeys? {
        let stored: StoredBinding
        do {
            stored = try await vault.storedBinding()
        } catch {
            throw .vault(error)
        }
        guard stored.state?.keys == pending.keys, let password = stored.password else { return nil }
        do {
            return try await .find(pending.keys, password: password, in: keys)
        } catch {
            guard error.code == .absent || error.code == .corrupt else { throw .key(error) }
            return nil
        }
    }
}
