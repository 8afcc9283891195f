import Foundation
import GRDB
public import NightlatchRelyingParty
public import NightlatchWire

extension SQLiteStore {
    public func masterKeyState() async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try readOnce { database in try Self.masterKeyState(in: database) }
    }

    public func changeMasterKey(
        _ change: MasterKeyChange
    ) async throws(RelyingPartyStoreError) -> MasterKeyChangeOutcome {
        try await write { database, now in
            let codesEndAt = try KeptStatement(
                "SELECT max(expires_at) FROM enrolment_code WHERE used_by_key_id IS NULL", in: database
            ).first { row in row.optionalDate(0) }
            let hasSigningKeys = try KeptStatement("SELECT 1 FROM signing_key LIMIT 1", in: database)
                .first { try $0.integer(0) }
            let result = MasterKeyChangeResult(
                change, of: try Self.masterKeyState(in: database), processes: try Self.processes(in: database),
                hasSigningKeys: hasSigningKeys != nil, codesEndAt: codesEndAt ?? nil, at: now)
            if let state = result.state { try Self.write(state, in: database) }
            if let event = result.event { try append(event, at: now, in: database) }
            return result.outcome
        }
    }

    public func report(_ process: RunningProcess) async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try await write { database, now in
            for other in try Self.processes(in: database) where !other.isAlive(at: now) {
                try KeptStatement("DELETE FROM running_process WHERE id = ?", in: database)
                    .run(.text(other.id.rawValue))
            }
            try KeptStatement(
                """
                INSERT INTO running_process (id, name, keys, sealing, seen_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, sealing = excluded.sealing,
                seen_at = excluded.seen_at
                """, in: database
            ).run(
                .text(process.id.rawValue), .text(process.name), .text(process.keyText),
                .text(process.sealing.rawValue), .integer(now.secondsSince1970))
            return try Self.masterKeyState(in: database)
        }
    }

    public func endProcess(_ id: RunningProcessID) async throws(RelyingPartyStoreError) {
        try await write { database in
            try KeptStatement("DELETE FROM running_process WHERE id = ?", in: database).run(.text(id.rawValue))
        }
    }

    public func runningProcesses() async throws(RelyingPartyStoreError) -> [RunningProcess] {
        let now = clock.now()
        return try readOnce { database in try Self.processes(in: database) }.filter { $0.isAlive(at: now) }
    }

    public func use(of key: MasterKeyID) async throws(RelyingPartyStoreError) -> MasterKeyUse {
        try read { database in
            func count(_ table: String, _ condition: String) throws -> Int {
                try KeptStatement("SELECT count(*) FROM \(table) WHERE sealed_under \(condition)", in: database)
                    .first(.text(key.rawValue)) { try $0.integer(0) } ?? 0
            }
            return MasterKeyUse(
                signingKeys: .init(under: try count("signing_key", "= ?"), other: try count("signing_key", "IS NOT ?")),
                pins: .init(
                    under: try count("pin_hardening", "= ?"),
                    other: try count("pin_hardening", "IS NOT ? AND sealed_under IS NOT ''")))
        }
    }

    public func replaceBox(
        _ box: [UInt8], of key: SealedSigningKey
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { database in
            try database.execute(
                sql: "UPDATE signing_key SET box = ?, sealed_under = ? WHERE id = ? AND box = ?",
                arguments: [Data(key.box), key.masterKey?.rawValue, key.id.rawValue, Data(box)])
            return database.changesCount == 1
        }
    }

    public func pinKeys(
        notUnder key: MasterKeyID, after last: DeviceID?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [StoredPinKeys] {
        try readOnce { database in
            try KeptStatement(
                """
                SELECT device_id, state FROM pin_hardening
                WHERE device_id > ? AND sealed_under IS NOT ? AND sealed_under IS NOT '' ORDER BY device_id LIMIT ?
                """, in: database
            ).all(.text(last?.rawValue ?? ""), .text(key.rawValue), .integer(limit)) { row in
                StoredPinKeys(device: try row.identifier(0), stored: try row.blob(1))
            }
        }
    }

    public func replacePinKeys(_ replacements: [PinKeyReplacement]) async throws(RelyingPartyStoreError) {
        try await write { database in
            for replacement in replacements {
                guard let stored = try Self.storedState(of: replacement.device, in: database) else { continue }
                var state = try PinHardening(stored: stored)
                state.replace(replacement.keys)
                try Self.write(state, of: replacement.device, in: database)
            }
        }
    }

    /// The state in the transaction of another verb, which the state cannot change during.
    static func masterKeyState(in database: Database) throws -> MasterKeyState? {
        try KeptStatement(
            "SELECT sealing, previous, phase, since, previous_ends_at, kept_secrets FROM master_key", in: database
        ).first { row in
            guard let phase = MasterKeyState.Phase(rawValue: try row.text(2)) else {
                throw RelyingPartyStoreError(.corrupt)
            }
            return MasterKeyState(
                sealing: try row.identifier(0), previous: try row.optionalIdentifier(1), phase: phase,
                since: try row.date(3), previousEndsAt: row.optionalDate(4), keptSecrets: try row.blob(5))
        }
    }

    private static func write(_ state: MasterKeyState, in database: Database) throws {
        try KeptStatement(
            """
            INSERT OR REPLACE INTO master_key
            (id, sealing, previous, phase, since, previous_ends_at, kept_secrets) VALUES (1, ?, ?, ?, ?, ?, ?)
            """, in: database
        ).run(
            .text(state.sealing.rawValue), state.previous.map { .text($0.rawValue) } ?? .null,
            .text(state.phase.rawValue), .integer(state.since.secondsSince1970),
            state.previousEndsAt.map { .integer($0.secondsSince1970) } ?? .null, .blob(state.keptSecrets))
    }

    private static func processes(in database: Database) throws -> [RunningProcess] {
        try KeptStatement(
            "SELECT id, name, keys, sealing, seen_at FROM running_process ORDER BY name, id", in: database
        ).all { row in
            try RunningProcess(
                id: row.identifier(0), name: row.text(1), keyText: row.text(2), sealing: row.identifier(3),
                seenAt: row.date(4))
        }
    }
}
