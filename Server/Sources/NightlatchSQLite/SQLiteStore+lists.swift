import GRDB
public import NightlatchRelyingParty
import NightlatchWire

extension SQLiteStore {
    /// The largest number of rows that one transaction folds. Other verbs wait for the write lock during that time.
    private static let foldBatch = 500

    public func users(
        matching prefix: SearchText?, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<UserRecord>] {
        let query = SQLiteListQuery(usersMatching: prefix, after: position)
        return try readOnce { database in
            try all(query, UserRecord.columns + ", folded_id", limit, in: database) { row in
                let user = try UserRecord(row)
                return PlacedRow(
                    user, place: ListPosition(text: SearchText(stored: try row.text(6)), id: user.id.rawValue))
            }
        }
    }

    public func devices(
        matching filter: DeviceFilter, after position: ListPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [PlacedRow<DeviceRecord>] {
        let query = SQLiteListQuery(devices: filter, after: position)
        return try readOnce { database in
            try all(query, DeviceRecord.columns + ", folded_name", limit, in: database) { row in
                let device = try DeviceRecord(row)
                return PlacedRow(
                    device, place: ListPosition(text: SearchText(stored: try row.text(14)), id: device.id.rawValue))
            }
        }
    }

    public func transactions(
        matching filter: TransactionFilter, before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RecordedTransaction] {
        let now = clock.now()
        let query = SQLiteListQuery(transactions: filter, before: position, now: now)
        return try readOnce { database in
            try all(query, TransactionRow.columns, limit, in: database) { try RecordedTransaction($0, now: now) }
        }
    }

    public func waitingRemoteLogins(
        before position: TimePosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [RemoteLogin] {
        let now = clock.now()
        let query = SQLiteListQuery(waitingRemoteLoginsBefore: position, now: now)
        return try readOnce { database in
            try all(query, RemoteLogin.columns, limit, in: database) { try RemoteLogin($0, at: now) }
        }
    }

    public func auditEntries(
        matching filter: AuditFilter, before position: AuditPosition?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [AuditEntry] {
        guard filter.canMatch else { return [] }
        let query = SQLiteListQuery(auditEntries: filter, before: position)
        return try readOnce { database in
            try all(query, AuditRow.columns, limit, in: database, read: AuditEntry.init(_:))
        }
    }

    public func count(_ list: CountedList, limit: Int) async throws(RelyingPartyStoreError) -> Int {
        if case .auditEntries(let filter) = list, !filter.canMatch { return 0 }
        let now = clock.now()
        let query =
            switch list {
            case .users(let prefix): SQLiteListQuery(usersMatching: prefix, after: nil)
            case .devices(let filter): SQLiteListQuery(devices: filter, after: nil)
            case .transactions(let filter): SQLiteListQuery(transactions: filter, before: nil, now: now)
            case .waitingRemoteLogins: SQLiteListQuery(waitingRemoteLoginsBefore: nil, now: now)
            case .auditEntries(let filter): SQLiteListQuery(auditEntries: filter, before: nil)
            }
        return try readOnce { database in
            try KeptStatement(query.count, in: database)
                .all(values: query.values + [.integer(limit)]) { try $0.integer(0) }.first ?? 0
        }
    }

    private func all<Row>(
        _ query: SQLiteListQuery, _ columns: String, _ limit: Int, in database: Database,
        read: (KeptRow) throws -> Row
    ) throws -> [Row] {
        try KeptStatement(query.rows(columns), in: database)
            .all(values: query.values + [.integer(limit)], read: read)
    }

    public func countEvents() async throws(RelyingPartyStoreError) -> Bool {
        try await write { database, now in
            let counted = try KeptStatement("SELECT next FROM counted_minutes WHERE id = 1", in: database)
                .first { try $0.integer(0) }
            let oldest = try KeptStatement("SELECT at FROM audit_entry ORDER BY at LIMIT 1", in: database)
                .first { try $0.date(0) }
            guard let minutes = EventTally.next(after: counted, oldest: oldest, now: now) else { return false }
            try KeptStatement("DELETE FROM event_count WHERE minute >= ? OR minute < ?", in: database)
                .run(.integer(minutes.lowerBound), .integer(minutes.upperBound - EventTally.minutesInDay))
            for kind in EventTally.kinds { try Self.count(kind, in: minutes, database) }
            try KeptStatement(
                "INSERT OR REPLACE INTO counted_minutes (id, next) VALUES (1, ?)", in: database
            ).run(.integer(minutes.upperBound))
            return EventTally.next(after: minutes.upperBound, oldest: oldest, now: now) != nil
        }
    }

    private static func count(_ kind: AuditEvent.Kind, in minutes: Range<Int>, _ database: Database) throws {
        let times: [KeptStatement.Value] = [
            .text(kind.rawValue), .integer(EventTally.start(of: minutes.lowerBound).secondsSince1970),
            .integer(EventTally.start(of: minutes.upperBound).secondsSince1970),
        ]
        guard kind == .requestsRefused else {
            return try KeptStatement(
                """
                INSERT INTO event_count (minute, kind, problem, count)
                SELECT at / 60, kind, '', count(*) FROM audit_entry WHERE kind = ? AND at >= ? AND at < ? GROUP BY 1
                """, in: database
            ).run(values: times)
        }
        // Damaged entries are left out, so that they do not stop the figures. `audit verify` finds them.
        let entries = try KeptStatement(
            "SELECT \(AuditRow.columns) FROM audit_entry WHERE kind = ? AND at >= ? AND at < ?", in: database
        ).all(values: times) { AuditEntry(try AuditRow($0)) }
        for refusal in EventTally.refusals(in: entries.compactMap(\.self)) {
            try KeptStatement(
                "INSERT INTO event_count (minute, kind, problem, count) VALUES (?, ?, ?, ?)", in: database
            ).run(
                .integer(refusal.minute), .text(kind.rawValue), .text(refusal.problem.rawValue),
                .integer(refusal.count))
        }
    }

    public func eventFigures() async throws(RelyingPartyStoreError) -> EventFigures {
        try read { database in
            let end = try KeptStatement("SELECT next FROM counted_minutes WHERE id = 1", in: database)
                .first { try $0.integer(0) }
            guard let end else { return EventFigures(until: nil, counts: []) }
            let counts = try KeptStatement(
                """
                SELECT kind, problem, sum(CASE WHEN minute >= ? THEN count ELSE 0 END), sum(count) FROM event_count
                WHERE minute >= ? GROUP BY kind, problem
                """, in: database
            ).all(.integer(end - EventTally.minutesInHour), .integer(end - EventTally.minutesInDay)) { row in
                try EventFigures.Count(
                    stored: row.text(0), problem: row.text(1), lastHour: row.integer(2), lastDay: row.integer(3))
            }
            return EventFigures(until: EventTally.start(of: end), counts: counts)
        }
    }

    public func foldNames() async throws(RelyingPartyStoreError) -> Bool {
        try await write { database in
            let users = try KeptStatement(
                "SELECT id FROM user WHERE folded_id = '' AND id <> '' LIMIT \(Self.foldBatch)", in: database
            ).all { try $0.text(0) }
            for id in users {
                try KeptStatement("UPDATE user SET folded_id = ? WHERE id = ?", in: database)
                    .run(.text(SearchText(id).folded), .text(id))
            }
            let devices = try KeptStatement(
                "SELECT id, name FROM device WHERE folded_name = '' AND name <> '' LIMIT \(Self.foldBatch)",
                in: database
            ).all { (id: try $0.text(0), name: try $0.text(1)) }
            for (id, name) in devices {
                try KeptStatement("UPDATE device SET folded_name = ? WHERE id = ?", in: database)
                    .run(.text(SearchText(name).folded), .text(id))
            }
            return max(users.count, devices.count) == Self.foldBatch
        }
    }
}

extension AuditEntry {
    /// Decodes the entry in a row.
    ///
    /// - Throws: `RelyingPartyStoreError` `corrupt` for anything that the program does not write.
    fileprivate init(_ row: KeptRow) throws(RelyingPartyStoreError) {
        guard let entry = AuditEntry(try AuditRow(row)) else { throw RelyingPartyStoreError(.corrupt) }
        self = entry
    }
}
