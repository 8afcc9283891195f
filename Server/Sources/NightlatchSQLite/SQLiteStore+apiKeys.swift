import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation {
        try await write { database, now in
            let isTaken = try KeptStatement(
                "SELECT 1 FROM api_key WHERE name = ? AND revoked_at IS NULL", in: database
            ).first(.text(key.name.rawValue)) { _ in true }
            let count = try KeptStatement("SELECT count(*) FROM api_key WHERE revoked_at IS NULL", in: database)
                .first { try $0.integer(0) }
            let outcome = APIKeyCreation(key, isNameTaken: isTaken == true, count: count ?? 0, at: now)
            if case .created(let created) = outcome {
                try database.execute(
                    sql: """
                        INSERT INTO api_key (id, name, scopes, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        key.id.rawValue, key.name.rawValue, key.scopes.document, Data(key.hash.bytes),
                        now.secondsSince1970, key.expiresAt?.secondsSince1970,
                    ])
                try append(AuditEvent(created: created, by: actor), at: now, in: database)
            }
            return outcome
        }
    }

    public func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? {
        try readOnce { try Self.apiKey(id, in: $0) }
    }

    public func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] {
        try read { database in
            let active = try KeptStatement(
                Self.apiKeyColumns + "WHERE revoked_at IS NULL ORDER BY created_at, id", in: database
            ).all(read: StoredAPIKey.init)
            let revoked = try KeptStatement(
                Self.apiKeyColumns + "WHERE revoked_at IS NOT NULL ORDER BY revoked_at DESC, id LIMIT ?", in: database
            ).all(.integer(APIKey.revokedCount), read: StoredAPIKey.init)
            return (active + revoked).map(\.key)
        }
    }

    public func revokeAPIKey(
        _ id: APIKeyID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKey? {
        try await write { database, now in
            guard var key = try Self.apiKey(id, in: database)?.key, key.revokedAt == nil else {
                return try Self.apiKey(id, in: database)?.key
            }
            key.revokedAt = now
            try database.execute(
                sql: "UPDATE api_key SET revoked_at = ? WHERE id = ?",
                arguments: [now.secondsSince1970, id.rawValue])
            try append(AuditEvent(revoked: key, by: actor), at: now, in: database)
            return key
        }
    }

    private static let apiKeyColumns = """
        SELECT id, name, scopes, hash, created_at, expires_at, revoked_at FROM api_key

        """

    private static func apiKey(_ id: APIKeyID, in database: Database) throws -> StoredAPIKey? {
        try KeptStatement(apiKeyColumns + "WHERE id = ?", in: database)
            .first(.text(id.rawValue), read: StoredAPIKey.init)
    }
}

extension StoredAPIKey {
    fileprivate init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        try self.init(
            id: row.identifier(0), name: row.identifier(1), scopes: row.text(2), hash: row.blob(3),
            times: (row.date(4), row.optionalDate(5), row.optionalDate(6)))
    }
}
