public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try await read { transaction in try Self.signingKeys(in: transaction) }
    }

    public func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        try await write { transaction in
            // Locks the table, since there may be no row to lock. Readers are not blocked.
            try transaction.send("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")
            let keys = try Self.signingKeys(in: transaction)
            guard keys.last?.id == newest else { return keys }
            try Self.lockedMasterKeyState(in: transaction).require(key.masterKey)
            try transaction.send(
                """
                INSERT INTO signing_key (id, box, created_at, active_from, sealed_under) VALUES ($1, $2, $3, $4, $5)
                """,
                .text(key.id.rawValue), .bytes(key.box), .integer(key.createdAt.secondsSince1970),
                .integer(key.activeFrom.secondsSince1970), .text(key.masterKey?.rawValue))
            try transaction.append(AuditEvent(.signingKeyAdded, by: actor))
            return keys + [key]
        }
    }

    public func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            _ = try transaction.send(
                """
                DELETE FROM signing_key
                WHERE active_from < (SELECT max(active_from) FROM signing_key WHERE active_from <= $1)
                """,
                .integer(time.secondsSince1970))
        }
    }

    public func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            try transaction.send("LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE")
            for key in SealedSigningKey.limited(try Self.signingKeys(in: transaction), startBy: time) {
                try transaction.send(
                    "UPDATE signing_key SET active_from = $1 WHERE id = $2",
                    .integer(key.activeFrom.secondsSince1970), .text(key.id.rawValue))
            }
        }
    }

    public func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int {
        try await write { transaction in
            let count = try transaction.rows("DELETE FROM signing_key").affectedCount
            if count > 0 { try transaction.append(AuditEvent(.signingKeysForgotten, by: .operator, count: count)) }
            return count
        }
    }

    private static func signingKeys(in transaction: PostgresTransaction) throws -> [SealedSigningKey] {
        try transaction.rows(
            "SELECT id, box, created_at, active_from, sealed_under FROM signing_key ORDER BY active_from, id"
        ).map { row throws(RelyingPartyStoreError) in
            SealedSigningKey(
                id: try row.identifier("id"), box: try row.bytes("box"),
                masterKey: try row.optionalText("sealed_under") == nil ? nil : row.identifier("sealed_under"),
                createdAt: try row.date("created_at"), activeFrom: try row.date("active_from"))
        }
    }
}
