public import NightlatchRelyingParty
import NightlatchWire

extension PostgresStore {
    /// The largest number of rows that one transaction folds.
    private static let foldBatch = 500

    public func users(
        matching prefix: SearchText?, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<UserRecord>] {
        let query = PostgresListQuery(usersMatching: prefix, after: position)
        return try await read { transaction in
            let columns = UserRecord.columns + ", folded_id"
            return try transaction.rows(query.rows(columns), values: query.values + [.integer(limit)])
                .map { row throws(RelyingPartyStoreError) in
                    PlacedRow(try UserRecord(row), place: try ListPosition(row, text: "folded_id"))
                }
        }
    }

    public func devices(
        matching filter: DeviceFilter, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<DeviceRecord>] {
        let query = PostgresListQuery(devices: filter, after: position)
        return try await read { transaction in
            let columns = DeviceRecord.columns + ", folded_name"
            return try transaction.rows(query.rows(columns), values: query.values + [.integer(limit)])
                .map { row throws(RelyingPartyStoreError) in
                    PlacedRow(try DeviceRecord(row), place: try ListPosition(row, text: "folded_name"))
                }
        }
    }

    public func transactions(
        matching filter: TransactionFilter, before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        try await read { transaction in
            let now = try transaction.now()
            let query = PostgresListQuery(transactions: filter, before: position, now: now)
            return try transaction.rows(query.rows(TransactionRow.columns), values: query.values + [.integer(limit)])
                .map { row throws(RelyingPartyStoreError) in try RecordedTransaction(row, now: now) }
        }
    }

    public func waitingRemoteLogins(
        before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        try await read { transaction in
            let now = try transaction.now()
            let query = PostgresListQuery(waitingRemoteLoginsBefore: position, now: now)
            return try transaction.rows(query.rows(RemoteLogin.columns), values: query.values + [.integer(limit)])
                .map { row throws(RelyingPartyStoreError) in try RemoteLogin(row, at: now) }
        }
    }

    public func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        guard filter.canMatch else { return [] }
        let query = PostgresListQuery(auditEntries: filter, before: position)
        return try await read { transaction in
            try transaction.rows(query.rows(AuditRow.columns), values: query.values + [.integer(limit)])
                .map(AuditEntry.init(_:))
        }
    }

    public func count(_ list: CountedList, limit: Int) async throws(RelyingPartyStoreError) -> Int {
        if case .auditEntries(let filter) = list, !filter.canMatch { return 0 }
        return try await read { transaction in
            let query =
                switch list {
                case .users(let prefix): PostgresListQuery(usersMatching: prefix, after: nil)
                case .devices(let filter): PostgresListQuery(devices: filter, after: nil)
                case .transactions(let filter):
                    PostgresListQuery(transactions: filter, before: nil, now: try transaction.now())
                case .waitingRemoteLogins:
                    PostgresListQuery(waitingRemoteLoginsBefore: nil, now: try transaction.now())
                case .auditEntries(let filter): PostgresListQuery(auditEntries: filter, before: nil)
                }
            return try transaction.rows(query.count, values: query.values + [.integer(limit)]).first?
                .integer("count") ?? 0
        }
    }

    public func countEvents() async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            // Processes take turns. Readers are not blocked.
            try transaction.send("LOCK TABLE counted_minutes IN SHARE ROW EXCLUSIVE MODE")
            let counted = try transaction.send("SELECT next FROM counted_minutes WHERE id = 1")
            let oldest = try transaction.send("SELECT at FROM audit_entry ORDER BY at LIMIT 1")
            let now = try transaction.now()
            let oldestTime = try oldest.rows().first?.date("at")
            let minutes = EventTally.next(
                after: try counted.rows().first?.integer("next"), oldest: oldestTime, now: now)
            guard let minutes else { return false }
            try transaction.send(
                "DELETE FROM event_count WHERE minute >= $1 OR minute < $2", .integer(minutes.lowerBound),
                .integer(minutes.upperBound - EventTally.minutesInDay))
            for kind in EventTally.kinds { try Self.count(kind, in: minutes, transaction) }
            try transaction.send(
                """
                INSERT INTO counted_minutes (id, next) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET next = excluded.next
                """, .integer(minutes.upperBound))
            return EventTally.next(after: minutes.upperBound, oldest: oldestTime, now: now) != nil
        }
    }

    private static func count(
        _ kind: AuditEvent.Kind, in minutes: Range<Int>, _ transaction: PostgresTransaction
    ) throws {
        let values: [PostgresValue] = [
            .text(kind.rawValue), .integer(EventTally.start(of: minutes.lowerBound).secondsSince1970),
            .integer(EventTally.start(of: minutes.upperBound).secondsSince1970),
        ]
        let condition = "\(PostgresAuditText.kind) = $1 AND at >= $2 AND at < $3"
        guard kind == .requestsRefused else {
            _ = try transaction.rows(
                """
                INSERT INTO event_count (minute, kind, problem, count)
                SELECT at / 60, $1, '', count(*) FROM audit_entry WHERE \(condition) GROUP BY at / 60
                """,
                values: values)
            return
        }
        // Damaged entries are left out, so that they do not stop the figures. `audit verify` finds them.
        let entries = try transaction.rows(
            "SELECT \(AuditRow.columns) FROM audit_entry WHERE \(condition)", values: values
        ).map { row throws(RelyingPartyStoreError) in AuditEntry(try AuditRow(row)) }
        for refusal in EventTally.refusals(in: entries.compactMap(\.self)) {
            try transaction.send(
                "INSERT INTO event_count (minute, kind, problem, count) VALUES ($1, $2, $3, $4)",
                .integer(refusal.minute), .text(kind.rawValue), .text(refusal.problem.rawValue),
                .integer(refusal.count))
        }
    }

    public func eventFigures() async throws(RelyingPartyStoreError) -> EventFigures {
        try await read { transaction in
            // One statement, so that the counts are those of this end.
            let rows = try transaction.rows(
                """
                SELECT next, kind, problem,
                (sum(CASE WHEN minute >= next - $1 THEN count ELSE 0 END))::bigint AS last_hour,
                (sum(count))::bigint AS last_day
                FROM counted_minutes LEFT JOIN event_count ON minute >= next - $2
                GROUP BY next, kind, problem
                """, .integer(EventTally.minutesInHour), .integer(EventTally.minutesInDay))
            guard let end = try rows.first?.integer("next") else { return EventFigures(until: nil, counts: []) }
            let counts = try rows.map { row throws(RelyingPartyStoreError) -> EventFigures.Count? in
                guard let kind = try row.optionalText("kind") else { return nil }
                return try EventFigures.Count(
                    stored: kind, problem: row.text("problem"), lastHour: row.integer("last_hour"),
                    lastDay: row.integer("last_day"))
            }
            return EventFigures(until: EventTally.start(of: end), counts: counts.compactMap(\.self))
        }
    }

    public func foldNames() async throws(RelyingPartyStoreError) -> Bool {
        try await write { transaction in
            // Skips rows that another process has locked: they are folded the next time.
            let users = try transaction.rows(
                """
                SELECT id FROM user_account WHERE folded_id = '' AND id <> '' LIMIT \(Self.foldBatch)
                FOR NO KEY UPDATE SKIP LOCKED
                """
            ).map { row throws(RelyingPartyStoreError) in try row.text("id") }
            for id in users {
                try transaction.send(
                    "UPDATE user_account SET folded_id = $1 WHERE id = $2", .text(SearchText(id).folded), .text(id))
            }
            let devices = try transaction.rows(
                """
                SELECT id, name FROM device WHERE folded_name = '' AND name <> '' LIMIT \(Self.foldBatch)
                FOR NO KEY UPDATE SKIP LOCKED
                """
            ).map { row throws(RelyingPartyStoreError) in (id: try row.text("id"), name: try row.text("name")) }
            for (id, name) in devices {
                try transaction.send(
                    "UPDATE device SET folded_name = $1 WHERE id = $2", .text(SearchText(name).folded), .text(id))
            }
            return max(users.count, devices.count) == Self.foldBatch
        }
    }
}

extension ListPosition {
    /// The place after a row with the folded text in the column `text`.
    fileprivate init(_ row: PostgresRow, text: String) throws(RelyingPartyStoreError) {
        self.init(text: SearchText(stored: try row.text(text)), id: try row.text("id"))
    }
}

extension AuditEntry {
    /// Decodes the entry in a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` for anything that the program does not write.
    fileprivate init(_ row: PostgresRow) throws(RelyingPartyStoreError) {
        guard let entry = AuditEntry(try AuditRow(row)) else { throw RelyingPartyStoreError(.corrupt) }
        self = entry
    }
}
