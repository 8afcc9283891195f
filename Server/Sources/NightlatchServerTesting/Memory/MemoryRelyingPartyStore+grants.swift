public import NightlatchRelyingParty
public import NightlatchWire

/// The authorization codes and grants of a ``MemoryRelyingPartyStore``.
struct MemoryGrants {
    var codes: [AuthorizationCodeHash: (code: AuthorizationCode, expiresAt: NumericDate, grant: GrantID?)] = [:]
    var grants: [GrantID: AppGrant] = [:]
    var revokedTokens: [MessageID: NumericDate] = [:]

    mutating func purgeCodes(at now: NumericDate) {
        codes = codes.filter { $0.value.expiresAt + ChallengeUse.retention >= now }
    }

    mutating func purge(at now: NumericDate) {
        grants = grants.filter { $0.value.expiresAt >= now }
        revokedTokens = revokedTokens.filter { $0.value + ChallengeUse.retention >= now }
    }

    /// Ends the grants whose authorization matches.
    mutating func end(where isEnded: (AppAuthorization) -> Bool) {
        grants = grants.filter { !isEnded($0.value.authorization) }
    }
}

extension MemoryRelyingPartyStore {
    public func recordAuthorizationCode(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash
    ) async throws(RelyingPartyStoreError) -> Bool {
        guard mayGrant(code.authorization) else { return false }
        grants.codes[hash] = (code, clock.now() + AuthorizationCode.life, nil)
        return true
    }

    public func redeemAuthorizationCode(
        _ redemption: CodeRedemption
    ) async throws(RelyingPartyStoreError) -> CodeRedemptionOutcome {
        guard let found = grants.codes[redemption.code] else { return .refused }
        let authorization = found.code.authorization
        let outcome = found.code.redeem(
            redemption, use: (found.expiresAt, found.grant), mayGrant: mayGrant(authorization), at: clock.now())
        switch outcome {
        case .granted(let grant, _):
            grants.codes[redemption.code]?.grant = grant.id
            grants.grants[grant.id] = grant
            append(AuditEvent(.appTokensIssued, to: grant.authorization))
        case .reused(let grant):
            // Later uses of the same code find no grant, and are not recorded.
            guard grants.grants.removeValue(forKey: grant) != nil else { break }
            append(AuditEvent(.authorizationCodeReused, to: authorization))
        case .refused: break
        }
        return outcome
    }

    public func refreshAppGrant(_ refresh: GrantRefresh) async throws(RelyingPartyStoreError) -> GrantRefreshOutcome {
        guard var grant = grants.grants[refresh.grant] else { return .refused }
        let outcome = grant.refresh(refresh, at: clock.now())
        switch outcome {
        case .refreshed: grants.grants[grant.id] = grant
        case .reused:
            grants.grants[grant.id] = nil
            append(AuditEvent(.appRefreshTokenReused, to: grant.authorization))
        case .refused: break
        }
        return outcome
    }

    public func appGrant(_ id: GrantID, of token: MessageID?) async throws(RelyingPartyStoreError) -> AppGrant? {
        guard let grant = grants.grants[id], clock.now() <= grant.expiresAt,
            token.map({ grants.revokedTokens[$0] == nil }) ?? true
        else {
            return nil
        }
        return grant
    }

    public func revokeAppToken(
        _ token: MessageID, until end: NumericDate, of grant: GrantID
    ) async throws(RelyingPartyStoreError) {
        guard let grant = grants.grants[grant], grants.revokedTokens[token] == nil else { return }
        grants.revokedTokens[token] = end
        append(AuditEvent(.appTokenRevoked, to: grant.authorization))
    }

    public func revokeAppGrant(_ id: GrantID, of client: ClientID) async throws(RelyingPartyStoreError) {
        guard let grant = grants.grants[id], grant.authorization.client == client else { return }
        grants.grants[id] = nil
        append(AuditEvent(.appGrantRevoked, to: grant.authorization))
    }

    /// Whether the session is live and the app is registered.
    private func mayGrant(_ authorization: AppAuthorization) -> Bool {
        let session = journeys.sessions[authorization.session]
        return registeredApps[authorization.client] != nil && session.map { clock.now() <= $0.expiresAt } ?? false
    }
}
