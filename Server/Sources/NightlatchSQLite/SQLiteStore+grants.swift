import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func recordAuthorizationCode(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            guard try Self.mayGrant(code.authorization, at: now, in: database) else { return false }
            try Self.insert(code, as: hash, at: now, in: database)
            return true
        }
    }

    public func redeemAuthorizationCode(
        _ redemption: CodeRedemption
    ) async throws(RelyingPartyStoreError) -> CodeRedemptionOutcome {
        try await write { database, now in
            let found = try KeptStatement(
                "SELECT content, expires_at, grant_id FROM authorization_code WHERE code_hash = ?", in: database
            ).first(.blob(redemption.code.bytes)) { row in
                (
                    code: try row.json(0) as AuthorizationCode,
                    use: (expiresAt: try row.date(1), grant: try row.optionalIdentifier(2) as GrantID?)
                )
            }
            guard let (code, use) = found else { return .refused }
            let outcome = code.redeem(
                redemption, use: use, mayGrant: try Self.mayGrant(code.authorization, at: now, in: database), at: now)
            switch outcome {
            case .granted(let grant, _):
                try KeptStatement("UPDATE authorization_code SET grant_id = ? WHERE code_hash = ?", in: database).run(
                    .text(grant.id.rawValue), .blob(redemption.code.bytes))
                try Self.insert(grant, in: database)
                try append(AuditEvent(.appTokensIssued, to: grant.authorization), at: now, in: database)
            case .reused(let grant):
                // Later uses of the same code find no grant, and are not recorded.
                guard try Self.delete(grant, in: database) else { break }
                try append(AuditEvent(.authorizationCodeReused, to: code.authorization), at: now, in: database)
            case .refused: break
            }
            return outcome
        }
    }

    public func refreshAppGrant(_ refresh: GrantRefresh) async throws(RelyingPartyStoreError) -> GrantRefreshOutcome {
        try await write { database, now in
            guard var grant = try Self.grant(refresh.grant, in: database) else { return .refused }
            let outcome = grant.refresh(refresh, at: now)
            switch outcome {
            case .refreshed:
                try KeptStatement(
                    "UPDATE app_grant SET generation = ?, rotated_at = ?, expires_at = ? WHERE id = ?", in: database
                ).run(
                    .integer(grant.generation), .integer(grant.rotatedAt.secondsSince1970),
                    .integer(grant.expiresAt.secondsSince1970), .text(grant.id.rawValue))
            case .reused:
                try Self.delete(grant.id, in: database)
                try append(AuditEvent(.appRefreshTokenReused, to: grant.authorization), at: now, in: database)
            case .refused: break
            }
            return outcome
        }
    }

    public func appGrant(_ id: GrantID, of token: MessageID?) async throws(RelyingPartyStoreError) -> AppGrant? {
        let now = clock.now()
        return try readOnce { database in
            try KeptStatement(
                """
                SELECT \(AppGrant.columns) FROM app_grant
                WHERE id = ? AND expires_at >= ? AND NOT EXISTS (SELECT 1 FROM revoked_app_token WHERE id = ?)
                """, in: database
            ).first(
                .text(id.rawValue), .integer(now.secondsSince1970), token.map { .text($0.rawValue) } ?? .null,
                read: AppGrant.init)
        }
    }

    public func revokeAppToken(
        _ token: MessageID, until end: NumericDate, of grant: GrantID
    ) async throws(RelyingPartyStoreError) {
        try await write { database, now in
            guard let grant = try Self.grant(grant, in: database) else { return }
            try KeptStatement(
                "INSERT INTO revoked_app_token (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING", in: database
            ).run(.text(token.rawValue), .integer(end.secondsSince1970))
            guard database.changesCount == 1 else { return }
            try append(AuditEvent(.appTokenRevoked, to: grant.authorization), at: now, in: database)
        }
    }

    public func revokeAppGrant(_ id: GrantID, of client: ClientID) async throws(RelyingPartyStoreError) {
        try await write { database, now in
            guard let grant = try Self.grant(id, in: database), grant.authorization.client == client else { return }
            try Self.delete(id, in: database)
            try append(AuditEvent(.appGrantRevoked, to: grant.authorization), at: now, in: database)
        }
    }

    /// Ends the grants of a session that is signed off.
    static func endGrants(of session: JourneySessionHash, in database: Database) throws {
        try KeptStatement("DELETE FROM app_grant WHERE session_hash = ? AND outlives_session = 0", in: database).run(
            .blob(session.bytes))
    }

    /// Ends all grants of `user`.
    static func endGrants(of user: UserID, in database: Database) throws {
        try KeptStatement("DELETE FROM app_grant WHERE user_id = ?", in: database).run(.text(user.rawValue))
    }

    /// Ends the grants from journeys in which `key` signed last, except those of `session`.
    static func endGrants(
        of user: UserID, key: JourneyKeyID, keeping session: JourneySessionHash?, in database: Database
    ) throws {
        try KeptStatement(
            "DELETE FROM app_grant WHERE user_id = ? AND key_id = ? AND session_hash <> ?", in: database
        ).run(.text(user.rawValue), .text(key.rawValue), .blob(session?.bytes ?? []))
    }

    /// Removes the codes and ends the grants of an app that is removed.
    static func endGrants(of client: ClientID, in database: Database) throws {
        for table in ["authorization_code", "app_grant"] {
            try KeptStatement("DELETE FROM \(table) WHERE client_id = ?", in: database).run(.text(client.rawValue))
        }
    }

    /// Inserts a code that is issued at `now`.
    static func insert(
        _ code: AuthorizationCode, as hash: AuthorizationCodeHash, at now: NumericDate, in database: Database
    ) throws {
        try KeptStatement(
            """
            INSERT INTO authorization_code (code_hash, client_id, session_hash, content, expires_at)
            VALUES (?, ?, ?, ?, ?)
            """, in: database
        ).run(
            .blob(hash.bytes), .text(code.authorization.client.rawValue), .blob(code.authorization.session.bytes),
            .json(code), .integer((now + AuthorizationCode.life).secondsSince1970))
    }

    static func insert(_ grant: AppGrant, in database: Database) throws {
        let authorization = grant.authorization
        try KeptStatement(
            """
            INSERT INTO app_grant
            (id, client_id, user_id, session_hash, key_id, outlives_session, content, generation, rotated_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, in: database
        ).run(
            .text(grant.id.rawValue), .text(authorization.client.rawValue), .text(authorization.user.rawValue),
            .blob(authorization.session.bytes), authorization.key.map { .text($0.rawValue) } ?? .null,
            .integer(authorization.outlivesSession ? 1 : 0), .json(authorization), .integer(grant.generation),
            .integer(grant.rotatedAt.secondsSince1970), .integer(grant.expiresAt.secondsSince1970))
    }

    private static func grant(_ id: GrantID, in database: Database) throws -> AppGrant? {
        try KeptStatement("SELECT \(AppGrant.columns) FROM app_grant WHERE id = ?", in: database).first(
            .text(id.rawValue), read: AppGrant.init)
    }

    /// Returns whether there was a grant.
    @discardableResult
    private static func delete(_ id: GrantID, in database: Database) throws -> Bool {
        try KeptStatement("DELETE FROM app_grant WHERE id = ?", in: database).run(.text(id.rawValue))
        return database.changesCount > 0
    }

    /// Whether the session is live and the app is registered.
    private static func mayGrant(
        _ authorization: AppAuthorization, at now: NumericDate, in database: Database
    ) throws -> Bool {
        try isRegistered(authorization.client, in: database)
            && isLive(authorization.session, at: now, in: database)
    }

    static func isRegistered(_ client: ClientID, in database: Database) throws -> Bool {
        try KeptStatement("SELECT 1 FROM app WHERE id = ?", in: database).first(.text(client.rawValue)) { _ in true }
            ?? false
    }
}

extension AppGrant {
    /// The columns for ``init(_:)``, in its order.
    static let columns = "id, content, generation, rotated_at, expires_at"

    init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        self.init(
            id: try row.identifier(0), authorization: try row.json(1), generation: try row.integer(2),
            rotatedAt: try row.date(3), expiresAt: try row.date(4))
    }
}

extension KeptStatement.Value {
    /// The value as JSON text.
    static func json(_ value: some Encodable) -> Self {
        .text(String(decoding: StrictJSON.encode(value), as: UTF8.self))
    }
}
