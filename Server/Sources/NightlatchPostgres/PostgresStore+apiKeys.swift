public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation {
        try await write { transaction in
            // Locks the table, because the limit and the names apply to all rows. Readers are not blocked.
            try transaction.send("LOCK TABLE api_key IN SHARE ROW EXCLUSIVE MODE")
            let named = try transaction.send(
                "SELECT 1 FROM api_key WHERE name = $1 AND revoked_at IS NULL", .text(key.name.rawValue))
            let counts = try transaction.send("SELECT count(*) AS count FROM api_key WHERE revoked_at IS NULL")
            let now = try transaction.now()
            let outcome = APIKeyCreation(
                key, isNameTaken: try !named.rows().isEmpty, count: try counts.rows().first?.integer("count") ?? 0,
                at: now)
            if case .created(let created) = outcome {
                try transaction.send(
                    """
                    INSERT INTO api_key (id, name, scopes, hash, created_at, expires_at)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    """,
                    .text(key.id.rawValue), .text(key.name.rawValue), .text(key.scopes.document),
                    .bytes(key.hash.bytes), .integer(now.secondsSince1970),
                    .integer(key.expiresAt?.secondsSince1970))
                try transaction.append(AuditEvent(created: created, by: actor))
            }
            return outcome
        }
    }

    public func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? {
        try await shareRead { transaction in
            let answer = try transaction.send(Self.apiKeyColumns + "WHERE id = $1", .text(id.rawValue))
            return { try answer.rows().first.map(StoredAPIKey.init) }
        }
    }

    public func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] {
        try await read { transaction in
            let active = try transaction.send(
                Self.apiKeyColumns + "WHERE revoked_at IS NULL ORDER BY created_at, id")
            let revoked = try transaction.send(
                Self.apiKeyColumns + "WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, id LIMIT $1",
                .integer(APIKey.revokedCount))
            return try (active.rows().map(StoredAPIKey.init) + revoked.rows().map(StoredAPIKey.init)).map(\.key)
        }
    }

    public func revokeAPIKey(
        _ id: APIKeyID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKey? {
        try await write { transaction in
            // The row lock orders parallel revocations: the first one writes the entry.
            let found = try transaction.send(Self.apiKeyColumns + "WHERE id = $1 FOR UPDATE", .text(id.rawValue))
            guard var key = try found.rows().first.map(StoredAPIKey.init)?.key, key.revokedAt == nil else {
                return try found.rows().first.map(StoredAPIKey.init)?.key
            }
            let now = try transaction.now()
            key.revokedAt = now
            try transaction.send(
                "UPDATE api_key SET revoked_at = $2 WHERE id = $1", .text(id.rawValue), .integer(now.secondsSince1970))
            try transaction.append(AuditEvent(revoked: key, by: actor))
            return key
        }
    }

    private static let apiKeyColumns =
        "SELECT id, name, scopes, hash, created_at, expires_at, revoked_at FROM api_key "
}

extension StoredAPIKey {
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        try self.init(
            id: row.identifier("id"), name: row.identifier("name"), scopes: row.text("scopes"),
            hash: row.bytes("hash"),
            times: (row.date("created_at"), row.optionalDate("expires_at"), row.optionalDate("revoked_at")))
    }
}
