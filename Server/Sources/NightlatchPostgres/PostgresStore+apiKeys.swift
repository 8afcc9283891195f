public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation {
        try await write { transaction in
            // Locks the table, because the limit and the names apply to all rows. Readers are not blocked. A revocation
            // of the creator is either committed and seen below, or waits for this lock with its UPDATE. The creator's
            // row is not locked: the revocation locks it before it waits.
            try transaction.send("LOCK TABLE api_key IN SHARE ROW EXCLUSIVE MODE")
            try transaction.readClock()
            let creators = try transaction.send(
                Self.apiKeyColumns + "FROM api_key WHERE id = $1", .text(actor.key?.rawValue ?? ""))
            let named = try transaction.send(
                "SELECT 1 FROM api_key WHERE name = $1 AND revoked_at IS NULL", .text(key.name.rawValue))
            let counts = try transaction.send("SELECT count(*) AS count FROM api_key WHERE revoked_at IS NULL")
            let now = try transaction.now()
            let outcome = APIKeyCreation(
                key, by: actor, creator: try creators.rows().first.map(APIKey.init), isNameTaken: try !named.rows().isEmpty, count: try counts.rows().first?.integer("count") ?? 0,
                at: now)
            if case .created(let created) = outcome {
                try transaction.send(
                    """
                    INSERT INTO api_key (id, name, scopes, hash, created_at, expires_at, created_by)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    """,
                    .text(key.id.rawValue), .text(key.name.rawValue), .text(key.scopes.document),
                    .bytes(key.hash.bytes), .integer(now.secondsSince1970),
                    .integer(key.expiresAt?.secondsSince1970), .text(created.createdBy?.rawValue))
                try transaction.append(AuditEvent(created: created, by: actor))
            }
            return outcome
        }
    }

    public func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? {
        try await shareRead { transaction in
            let answer = try transaction.send(
                Self.apiKeyColumns + ", hash FROM api_key WHERE id = $1", .text(id.rawValue))
            try transaction.bringClock()
            return {
                guard let row = try answer.rows().first else { return nil }
                return try StoredAPIKey(key: APIKey(row), hash: row.bytes("hash"), readAt: transaction.now())
            }
        }
    }

    public func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] {
        try await read { transaction in
            let active = try transaction.send(
                Self.apiKeyColumns + "FROM api_key WHERE revoked_at IS NULL ORDER BY created_at, id")
            let revoked = try transaction.send(
                Self.apiKeyColumns + "FROM api_key WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, id LIMIT $1",
                .integer(APIKey.revokedCount))
            return try active.rows().map(APIKey.init) + revoked.rows().map(APIKey.init)
        }
    }

    public func revokeAPIKey(
        _ id: APIKeyID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKey? {
        try await write { transaction in
            // The row lock orders parallel revocations: the first one writes the entry.
            let found = try transaction.send(
                Self.apiKeyColumns + "FROM api_key WHERE id = $1 FOR UPDATE", .text(id.rawValue))
            let stored = try found.rows().first.map(APIKey.init)
            guard var key = stored, key.revokedAt == nil else { return stored }
            let now = try transaction.now()
            key.revokedAt = now
            try transaction.send(
                "UPDATE api_key SET revoked_at = $2 WHERE id = $1", .text(id.rawValue), .integer(now.secondsSince1970))
            try transaction.append(AuditEvent(revoked: key, by: actor))
            return key
        }
    }

    // Without the hash: a damaged one must not prevent that the key is listed and revoked.
    private static let apiKeyColumns =
        "SELECT id, name, scopes, created_at, expires_at, created_by, revoked_at "
}

extension APIKey {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        try self.init(
            id: row.identifier("id"), name: row.identifier("name"), scopes: Set(document: row.text("scopes")),
            createdAt: row.date("created_at"), expiresAt: row.optionalDate("expires_at"),
            createdBy: row.optionalText("created_by") == nil ? nil : row.identifier("created_by"),
            revokedAt: row.optionalDate("revoked_at"))
    }
}
