public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func recordAuthorizationCode(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            guard try Self.mayGrant(code.authorization, in: transaction) else { return false }
            try Self.insert(code, as: hash, in: transaction)
            return true
        }
    }

    public func redeemAuthorizationCode(
        _ redemption: CodeRedemption
    ) async throws(RelyingPartyStoreError) -> CodeRedemptionOutcome {
        try await write { transaction in
            // Locked first, in the order in which `removeApp` deletes.
            let isRegistered = try Self.isRegistered(redemption.sender.client, in: transaction)
            let row = try transaction.rows(
                "SELECT content, expires_at, grant_id FROM authorization_code WHERE code_hash = $1 FOR UPDATE",
                .bytes(redemption.code.bytes)
            ).first
            guard let row else { return .refused }
            let code: AuthorizationCode = try row.json("content")
            let used: GrantID? = try row.optionalText("grant_id") == nil ? nil : try row.identifier("grant_id")
            let isSessionLive = try Self.isLive(code.authorization.session, in: transaction)
            let outcome = code.redeem(
                redemption, use: (expiresAt: try row.date("expires_at"), grant: used),
                mayGrant: isRegistered && isSessionLive, at: try transaction.now())
            switch outcome {
            case .granted(let grant, _):
                try transaction.send(
                    "UPDATE authorization_code SET grant_id = $1 WHERE code_hash = $2", .text(grant.id.rawValue),
                    .bytes(redemption.code.bytes))
                try Self.insert(grant, in: transaction)
                try transaction.append(AuditEvent(.appTokensIssued, to: grant.authorization))
            case .reused(let grant):
                // Later uses of the same code find no grant, and are not recorded.
                guard try Self.delete(grant, in: transaction) else { break }
                try transaction.append(AuditEvent(.authorizationCodeReused, to: code.authorization))
            case .refused: break
            }
            return outcome
        }
    }

    public func refreshAppGrant(_ refresh: GrantRefresh) async throws(RelyingPartyStoreError) -> GrantRefreshOutcome {
        try await write { transaction in
            guard var grant = try Self.lockGrant(refresh.grant, in: transaction) else { return .refused }
            let outcome = grant.refresh(refresh, at: try transaction.now())
            switch outcome {
            case .refreshed:
                try transaction.send(
                    "UPDATE app_grant SET generation = $1, rotated_at = $2, expires_at = $3 WHERE id = $4",
                    .integer(grant.generation), .integer(grant.rotatedAt.secondsSince1970),
                    .integer(grant.expiresAt.secondsSince1970), .text(grant.id.rawValue))
            case .reused:
                try Self.delete(grant.id, in: transaction)
                try transaction.append(AuditEvent(.appRefreshTokenReused, to: grant.authorization))
            case .refused: break
            }
            return outcome
        }
    }

    public func appGrant(_ id: GrantID, of token: MessageID?) async throws(RelyingPartyStoreError) -> AppGrant? {
        try await shareRead { transaction in
            let answer = try transaction.send(
                """
                SELECT \(AppGrant.columns) FROM app_grant
                WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM revoked_app_token WHERE id = $2)
                """,
                .text(id.rawValue), .text(token?.rawValue))
            try transaction.bringClock()
            return {
                guard let grant = try answer.rows().first.map(AppGrant.init), try transaction.now() <= grant.expiresAt
                else { return nil }
                return grant
            }
        }
    }

    public func revokeAppToken(
        _ token: MessageID, until end: NumericDate, of grant: GrantID
    ) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            guard let grant = try Self.lockGrant(grant, in: transaction) else { return }
            let count = try transaction.rows(
                "INSERT INTO revoked_app_token (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                .text(token.rawValue), .integer(end.secondsSince1970)
            ).affectedCount
            guard count == 1 else { return }
            try transaction.append(AuditEvent(.appTokenRevoked, to: grant.authorization))
        }
    }

    public func revokeAppGrant(_ id: GrantID, of client: ClientID) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            guard let grant = try Self.lockGrant(id, in: transaction), grant.authorization.client == client else {
                return
            }
            try Self.delete(id, in: transaction)
            try transaction.append(AuditEvent(.appGrantRevoked, to: grant.authorization))
        }
    }

    /// Ends the grants of a session that is signed off.
    static func endGrants(of session: JourneySessionHash, in transaction: PostgresTransaction) throws {
        try transaction.send(
            "DELETE FROM app_grant WHERE session_hash = $1 AND NOT outlives_session", .bytes(session.bytes))
    }

    /// Ends all grants of `user`.
    static func endGrants(of user: UserID, in transaction: PostgresTransaction) throws {
        try transaction.send("DELETE FROM app_grant WHERE user_id = $1", .text(user.rawValue))
    }

    /// Ends the grants from journeys in which `key` signed last, except those of `session`.
    static func endGrants(
        of user: UserID, key: JourneyKeyID, keeping session: JourneySessionHash?, in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            "DELETE FROM app_grant WHERE user_id = $1 AND key_id = $2 AND session_hash <> $3",
            .text(user.rawValue), .text(key.rawValue), .bytes(session?.bytes ?? []))
    }

    /// Removes the codes and ends the grants of an app that is removed.
    static func endGrants(of client: ClientID, in transaction: PostgresTransaction) throws {
        for table in ["authorization_code", "app_grant"] {
            try transaction.send("DELETE FROM \(table) WHERE client_id = $1", .text(client.rawValue))
        }
    }

    /// Whether the session is live and the app is registered.
    private static func mayGrant(_ authorization: AppAuthorization, in transaction: PostgresTransaction) throws -> Bool
    {
        try isRegistered(authorization.client, in: transaction) && isLive(authorization.session, in: transaction)
    }

    /// Whether the app is registered. Locks it: a transaction that removes it at the same time then sees the new rows.
    static func isRegistered(_ client: ClientID, in transaction: PostgresTransaction) throws -> Bool {
        try !transaction.rows("SELECT 1 FROM app WHERE id = $1 FOR SHARE", .text(client.rawValue)).isEmpty
    }

    /// Whether the session is live. Locks it: a transaction that ends it at the same time then sees the new rows.
    private static func isLive(
        _ session: JourneySessionHash, in transaction: PostgresTransaction
    ) throws -> Bool {
        try !transaction.rows(
            "SELECT 1 FROM journey_session WHERE token_hash = $1 AND expires_at >= $2 FOR SHARE",
            .bytes(session.bytes), .integer(transaction.now().secondsSince1970)
        ).isEmpty
    }

    /// Inserts a code that is issued now.
    static func insert(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash, in transaction: PostgresTransaction
    ) throws {
        try transaction.send(
            """
            INSERT INTO authorization_code (code_hash, client_id, session_hash, content, expires_at)
            VALUES ($1, $2, $3, $4, $5)
            """,
            .bytes(hash.bytes), .text(code.authorization.client.rawValue),
            .bytes(code.authorization.session.bytes), .json(code),
            .integer((try transaction.now() + AuthorizationCode.life).secondsSince1970))
    }

    static func insert(_ grant: AppGrant, in transaction: PostgresTransaction) throws {
        let authorization = grant.authorization
        try transaction.send(
            """
            INSERT INTO app_grant
            (id, client_id, user_id, session_hash, key_id, outlives_session, content, generation, rotated_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6 = 1, $7, $8, $9, $10)
            """,
            .text(grant.id.rawValue), .text(authorization.client.rawValue), .text(authorization.user.rawValue),
            .bytes(authorization.session.bytes), .text(authorization.key?.rawValue),
            .integer(authorization.outlivesSession ? 1 : 0), .json(authorization), .integer(grant.generation),
            .integer(grant.rotatedAt.secondsSince1970), .integer(grant.expiresAt.secondsSince1970))
    }

    private static func lockGrant(_ id: GrantID, in transaction: PostgresTransaction) throws -> AppGrant? {
        try transaction.rows(
            "SELECT \(AppGrant.columns) FROM app_grant WHERE id = $1 FOR NO KEY UPDATE", .text(id.rawValue)
        ).first.map(AppGrant.init)
    }

    /// Returns whether there was a grant.
    @discardableResult
    private static func delete(_ id: GrantID, in transaction: PostgresTransaction) throws -> Bool {
        try transaction.rows("DELETE FROM app_grant WHERE id = $1", .text(id.rawValue)).affectedCount > 0
    }
}

extension AppGrant {
    /// The columns for ``init(_:)``.
    static let columns = "id, content, generation, rotated_at, expires_at"

    init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier("id"), authorization: try row.json("content"),
            generation: try row.integer("generation"), rotatedAt: try row.date("rotated_at"),
            expiresAt: try row.date("expires_at"))
    }
}

extension PostgresValue {
    /// The value as JSON text.
    static func json(_ value: some Encodable) -> Self {
        .text(String(decoding: StrictJSON.encode(value), as: UTF8.self))
    }
}
