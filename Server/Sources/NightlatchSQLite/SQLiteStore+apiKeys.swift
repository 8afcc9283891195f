import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation {
        try await write { database, now in
            let creator = try actor.key.flatMap { try Self.apiKey($0, in: database) }
            let isTaken = try KeptStatement(
                "SELECT 1 FROM api_key WHERE name = ? AND revoked_at IS NULL", in: database
            ).first(.text(key.name.rawValue)) { _ in true }
            let count = try KeptStatement("SELECT count(*) FROM api_key WHERE revoked_at IS NULL", in: database)
                .first { try $0.integer(0) }
            let outcome = APIKeyCreation(
                key, by: actor, creator: creator, isNameTaken: isTaken == true, count: count ?? 0, at: now)
            if case .created(let created) = outcome {
                try database.execute(
                    sql: """
                        INSERT INTO api_key (id, name, scopes, hash, created_at, expires_at, created_by)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        key.id.rawValue, key.name.rawValue, key.scopes.document, Data(key.hash.bytes),
                        now.secondsSince1970, key.expiresAt?.secondsSince1970, created.createdBy?.rawValue,
                    ])
                try append(AuditEvent(created: created, by: actor), at: now, in: database)
            }
            return outcome
        }
    }

    public func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? {
        let now = clock.now()
        return try readOnce { database in
            try KeptStatement(Self.apiKeyColumns + ", hash FROM api_key WHERE id = ?", in: database)
                .first(.text(id.rawValue)) { try StoredAPIKey(key: APIKey($0), hash: $0.blob(7), readAt: now) }
        }
    }

    public func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] {
        try read { database in
            let active = try KeptStatement(
                Self.apiKeyColumns + "FROM api_key WHERE revoked_at IS NULL ORDER BY created_at, id", in: database
            ).all(read: APIKey.init)
            let revoked = try KeptStatement(
                Self.apiKeyColumns + "FROM api_key WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, id LIMIT ?",
                in: database
            ).all(.integer(APIKey.revokedCount), read: APIKey.init)
            return active + revoked
        }
    }

    public func revokeAPIKey(
        _ id: APIKeyID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKey? {
        try await write { database, now in
            let stored = try Self.apiKey(id, in: database)
            guard var key = stored, key.revokedAt == nil else { return stored }
            key.revokedAt = now
            try database.execute(
                sql: "UPDATE api_key SET revoked_at = ? WHERE id = ?",
                arguments: [now.secondsSince1970, id.rawValue])
            try append(AuditEvent(revoked: key, by: actor), at: now, in: database)
            return key
        }
    }

    // Without the hash: a damaged one must not prevent that the key is listed and revoked.
    private static let apiKeyColumns = "SELECT id, name, scopes, created_at, expires_at, created_by, revoked_at "

    private static func apiKey(_ id: APIKeyID, in database: Database) throws -> APIKey? {
        try KeptStatement(apiKeyColumns + "FROM api_key WHERE id = ?", in: database)
            .first(.text(id.rawValue), read: APIKey.init)
    }
}

extension APIKey {
    fileprivate init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        try self.init(
            id: row.identifier(0), name: row.identifier(1), scopes: Set(document: row.text(2)),
            createdAt: row.date(3), expiresAt: row.optionalDate(4), createdBy: row.optionalIdentifier(5),
            revokedAt: row.optionalDate(6))
    }
}
