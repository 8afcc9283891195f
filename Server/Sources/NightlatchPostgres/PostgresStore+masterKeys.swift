public import NightlatchRelyingParty
public import NightlatchWire

extension PostgresStore {
    public func masterKeyState() async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try await read { transaction in try Self.masterKeyState(transaction.rows(Self.selectMasterKey)) }
    }

    public func changeMasterKey(
        _ change: MasterKeyChange
    ) async throws(RelyingPartyStoreError) -> MasterKeyChangeOutcome {
        try await write { transaction in
            // Waits for reports that were told the earlier state, and makes later reports wait.
            try transaction.send("LOCK TABLE running_process IN SHARE ROW EXCLUSIVE MODE")
            // Serves the first record of a state, when there is no row to lock.
            try transaction.send("LOCK TABLE master_key IN SHARE ROW EXCLUSIVE MODE")
            let state = try transaction.send(Self.selectMasterKey)
            let processes = try transaction.send(Self.selectProcesses)
            let codes = try transaction.send(
                "SELECT max(expires_at) AS ends_at FROM enrolment_code WHERE used_by_key_id IS NULL")
            let signingKeys = try transaction.send("SELECT 1 FROM signing_key LIMIT 1")
            try transaction.readClock()
            let result = MasterKeyChangeResult(
                change, of: try Self.masterKeyState(state.rows()), processes: try Self.processes(processes.rows()),
                hasSigningKeys: try !signingKeys.rows().isEmpty,
                codesEndAt: try codes.rows().first?.optionalDate("ends_at"), at: try transaction.now())
            if let state = result.state { try Self.write(state, in: transaction) }
            if let event = result.event { try transaction.append(event) }
            return result.outcome
        }
    }

    public func report(_ process: RunningProcess) async throws(RelyingPartyStoreError) -> MasterKeyState? {
        try await write { transaction in
            let now = try transaction.now().secondsSince1970
            let life = Int(RunningProcess.life.components.seconds)
            // First, and without rows that another report holds: reports do not wait for each other.
            try transaction.send(
                """
                DELETE FROM running_process WHERE id IN (
                    SELECT id FROM running_process WHERE (seen_at < $1 OR seen_at > $2) AND id <> $3
                    FOR UPDATE SKIP LOCKED)
                """,
                .integer(now - life), .integer(now + life), .text(process.id.rawValue))
            try transaction.send(
                """
                INSERT INTO running_process (id, name, keys, sealing, seen_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (id) DO UPDATE SET keys = excluded.keys, sealing = excluded.sealing,
                seen_at = excluded.seen_at
                """,
                .text(process.id.rawValue), .text(process.name), .text(process.keyText),
                .text(process.sealing.rawValue), .integer(now))
            return try Self.masterKeyState(transaction.rows(Self.selectMasterKey))
        }
    }

    public func endProcess(_ id: RunningProcessID) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            _ = try transaction.send("DELETE FROM running_process WHERE id = $1", .text(id.rawValue))
        }
    }

    public func runningProcesses() async throws(RelyingPartyStoreError) -> [RunningProcess] {
        try await read { transaction in
            try transaction.bringClock()
            let found = try transaction.send(Self.selectProcesses)
            let now = try transaction.now()
            return try Self.processes(found.rows()).filter { $0.isAlive(at: now) }
        }
    }

    public func use(of key: MasterKeyID) async throws(RelyingPartyStoreError) -> MasterKeyUse {
        // One statement, so that all counts are of the same moment.
        try await writePatiently { transaction in
            let rows = try transaction.rows(
                """
                SELECT (SELECT count(*) FROM signing_key WHERE sealed_under = $1) AS keys,
                (SELECT count(*) FROM signing_key WHERE sealed_under IS DISTINCT FROM $1) AS other_keys,
                (SELECT count(*) FROM pin_hardening WHERE sealed_under = $1) AS pins,
                (SELECT count(*) FROM pin_hardening
                WHERE sealed_under IS DISTINCT FROM $1 AND sealed_under IS DISTINCT FROM '') AS other_pins
                """, .text(key.rawValue))
            guard let row = rows.first else { throw RelyingPartyStoreError(.defect) }
            return MasterKeyUse(
                signingKeys: .init(under: try row.integer("keys"), other: try row.integer("other_keys")),
                pins: .init(under: try row.integer("pins"), other: try row.integer("other_pins")))
        }
    }

    public func replaceBox(
        _ box: [UInt8], of key: SealedSigningKey
    ) async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            try transaction.rows(
                "UPDATE signing_key SET box = $1, sealed_under = $2 WHERE id = $3 AND box = $4",
                .bytes(key.box), .text(key.masterKey?.rawValue), .text(key.id.rawValue), .bytes(box)
            ).affectedCount == 1
        }
    }

    public func pinKeys(
        notUnder key: MasterKeyID, after last: DeviceID?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [StoredPinKeys] {
        var place = last?.rawValue ?? ""
        // Ends: `place` grows with each round, up to the last row.
        while true {
            let start = place
            let end = try await read { transaction in
                try transaction.rows(
                    """
                    SELECT max(device_id) AS device_id FROM (SELECT device_id FROM pin_hardening WHERE device_id > $1
                    ORDER BY device_id LIMIT $2) AS page
                    """, .text(start), .integer(Self.pageSize)
                ).first?.optionalText("device_id")
            }
            guard let end else { return [] }
            let found = try await read { transaction in
                try transaction.rows(
                    """
                    SELECT device_id, state FROM pin_hardening WHERE device_id > $1 AND device_id <= $2
                    AND sealed_under IS DISTINCT FROM $3 AND sealed_under IS DISTINCT FROM ''
                    ORDER BY device_id LIMIT $4
                    """,
                    .text(start), .text(end), .text(key.rawValue), .integer(limit)
                ).map { row throws(RelyingPartyStoreError) in
                    StoredPinKeys(device: try row.identifier("device_id"), stored: try row.bytes("state"))
                }
            }
            guard found.isEmpty else { return found }
            place = end
        }
    }

    public func replacePinKeys(_ replacements: [PinKeyReplacement]) async throws(RelyingPartyStoreError) {
        try await write { transaction in
            // In the order of ids, so that two calls do not wait for each other. The lock of the device's row
            // serialises with the steps of the device.
            for replacement in replacements.sorted(by: { $0.device.rawValue < $1.device.rawValue }) {
                try transaction.send(
                    "SELECT 1 FROM device WHERE id = $1 FOR NO KEY UPDATE", .text(replacement.device.rawValue))
                let found = try transaction.rows(Self.selectPinHardening, .text(replacement.device.rawValue)).first
                guard let stored = try found?.bytes("state") else { continue }
                var state = try PinHardening(stored: stored)
                state.replace(replacement.keys)
                try Self.write(state, of: replacement.device, in: transaction)
            }
        }
    }

    /// The state in the transaction of another verb. A change of the state waits until the transaction has ended, also
    /// if there is no row yet. The triggers for older versions take the same lock.
    static func lockedMasterKeyState(in transaction: PostgresTransaction) throws -> MasterKeyState? {
        try transaction.send("LOCK TABLE master_key IN ROW EXCLUSIVE MODE")
        return try masterKeyState(transaction.rows(selectMasterKey))
    }

    /// The number of rows that one statement of ``pinKeys(notUnder:after:limit:)`` looks at, so that it ends in time.
    private static let pageSize = 20_000

    private static let selectMasterKey =
        "SELECT sealing, previous, phase, since, previous_ends_at, kept_secrets FROM master_key"
    private static let selectProcesses =
        "SELECT id, name, keys, sealing, seen_at FROM running_process ORDER BY name, id"

    private static func masterKeyState(_ rows: PostgresRows) throws -> MasterKeyState? {
        guard let row = rows.first else { return nil }
        guard let phase = MasterKeyState.Phase(rawValue: try row.text("phase")) else {
            throw RelyingPartyStoreError(.corrupt)
        }
        return MasterKeyState(
            sealing: try row.identifier("sealing"),
            previous: try row.optionalText("previous") == nil ? nil : row.identifier("previous"), phase: phase,
            since: try row.date("since"), previousEndsAt: try row.optionalDate("previous_ends_at"),
            keptSecrets: try row.bytes("kept_secrets"))
    }

    private static func write(_ state: MasterKeyState, in transaction: PostgresTransaction) throws {
        try transaction.send(
            """
            INSERT INTO master_key (id, sealing, previous, phase, since, previous_ends_at, kept_secrets)
            VALUES (1, $1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO UPDATE SET sealing = excluded.sealing, previous = excluded.previous,
            phase = excluded.phase, since = excluded.since, previous_ends_at = excluded.previous_ends_at,
            kept_secrets = excluded.kept_secrets
            """,
            .text(state.sealing.rawValue), .text(state.previous?.rawValue), .text(state.phase.rawValue),
            .integer(state.since.secondsSince1970), .integer(state.previousEndsAt?.secondsSince1970),
            .bytes(state.keptSecrets))
    }

    private static func processes(_ rows: PostgresRows) throws -> [RunningProcess] {
        try rows.map { row throws(RelyingPartyStoreError) in
            try RunningProcess(
                id: row.identifier("id"), name: row.text("name"), keyText: row.text("keys"),
                sealing: row.identifier("sealing"), seenAt: row.date("seen_at"))
        }
    }
}
