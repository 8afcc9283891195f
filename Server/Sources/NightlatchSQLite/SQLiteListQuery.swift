package import NightlatchRelyingParty
package import NightlatchWire

/// The part of a query that selects the rows of a list, so that SQLite reads them along one index.
///
/// A `+` before a column keeps SQLite from using the column's index: it has no statistics, and would choose between two
/// indices by rules of thumb. Each query has one lower and one upper bound, because SQLite uses one of each.
package struct SQLiteListQuery {
    /// The tables, the conditions and the order.
    package let tables: String
    package let condition: String
    package let order: String
    let values: [KeptStatement.Value]

    /// A query that reads `columns` of at most as many rows as its last parameter.
    package func rows(_ columns: String) -> String {
        "SELECT \(columns) FROM \(tables) WHERE \(condition) ORDER BY \(order) LIMIT ?"
    }

    /// A query that counts at most as many rows as its last parameter.
    package var count: String {
        "SELECT count(*) FROM (SELECT 1 FROM \(tables) WHERE \(condition) LIMIT ?)"
    }
}

extension SQLiteListQuery {
    package init(usersMatching prefix: SearchText?, after position: ListPosition?) {
        let start = ListPosition.start(of: prefix, position)
        tables = "user"
        condition = "(folded_id, id) > (?, ?) AND folded_id < ?"
        order = "folded_id, id"
        values = [.text(start.text.folded), .text(start.id), .text((prefix ?? SearchText(stored: "")).end)]
    }

    package init(devices filter: DeviceFilter, after position: ListPosition?) {
        var conditions: [String] = []
        var values: [KeptStatement.Value] = []
        switch filter.status {
        case .active: conditions.append("revoked_at IS NULL AND blocked_at IS NULL")
        case .blocked: conditions.append("revoked_at IS NULL AND blocked_at IS NOT NULL")
        case .revoked: conditions.append("revoked_at IS NOT NULL")
        case .pinUsedUp, nil: break
        }
        if let client = filter.client {
            conditions.append(filter.isOrderedByID ? "+client_id = ?" : "client_id = ?")
            values.append(.text(client.rawValue))
        }
        guard filter.isOrderedByID else {
            let start = ListPosition.start(of: filter.name, position)
            tables = "device"
            condition = (conditions + ["(folded_name, id) > (?, ?) AND folded_name < ?"]).joined(separator: " AND ")
            order = "folded_name, id"
            self.values =
                values + [
                    .text(start.text.folded), .text(start.id), .text((filter.name ?? SearchText(stored: "")).end),
                ]
            return
        }
        if let name = filter.name {
            conditions.append("+folded_name >= ? AND +folded_name < ?")
            values += [.text(name.folded), .text(name.end)]
        }
        // The first page begins with the digits, which may be those of a whole id. A later page begins after the id of
        // the last device of the page before.
        let (from, last) = (filter.id ?? "", position?.id ?? "")
        if filter.status == .pinUsedUp {
            // Few PINs are used up at one time: their keys are destroyed after minutes.
            tables = "pin_hardening CROSS JOIN device ON device.id = pin_hardening.device_id"
            conditions.append("exhausted_at IS NOT NULL")
        } else {
            tables = "device"
        }
        let id = filter.status == .pinUsedUp ? "+device_id" : "id"
        conditions.append(last < from ? "\(id) >= ?" : "\(id) > ?")
        values.append(.text(last < from ? from : last))
        conditions.append("\(id) < ?")
        values.append(.text(from + "\u{10FFFF}"))
        condition = conditions.joined(separator: " AND ")
        order = "id"
        self.values = values
    }

    package init(transactions filter: TransactionFilter, before position: TimePosition?, now: NumericDate) {
        tables = "user_transaction LEFT JOIN device ON device.id = user_transaction.device_id"
        let time = filter.isOrderedByExpiry ? "expires_at" : "created_at"
        order = "\(time) DESC, user_transaction.id DESC"
        var start = TimePosition.start(until: filter.until, position)
        var conditions: [String] = []
        var values: [KeptStatement.Value] = []
        // Rows of one user are few, so the state is not looked for along an index.
        let plus = filter.user == nil ? "" : "+"
        if let user = filter.user {
            conditions.append("user_transaction.user_id = ?")
            values.append(.text(user.rawValue))
        }
        switch filter.state {
        case nil: break
        case .pending:
            conditions.append("\(plus)ended_as IS NULL AND \(plus)expires_at >= ?")
            values.append(.integer(now.secondsSince1970))
        case .expired where filter.user == nil:
            conditions.append("ended_as IS NULL")
            let end = TimePosition(at: now, id: "")
            if start.isBefore(end) { start = end }
        case .expired:
            conditions.append("+ended_as IS NULL AND +expires_at < ?")
            values.append(.integer(now.secondsSince1970))
        case .confirmed, .rejected, .voided:
            conditions.append("\(plus)ended_as = ?")
            values.append(.text(filter.state?.rawValue ?? ""))
        }
        conditions.append("(\(time), user_transaction.id) < (?, ?)")
        condition = conditions.joined(separator: " AND ")
        self.values = values + [.integer(start.at.secondsSince1970), .text(start.id)]
    }

    package init(waitingRemoteLoginsBefore position: TimePosition?, now: NumericDate) {
        let start = TimePosition.start(until: nil, position)
        tables = "remote_login"
        condition = "+state = 'pending' AND expires_at >= ? AND (expires_at, id) < (?, ?)"
        order = "expires_at DESC, id DESC"
        values = [.integer(now.secondsSince1970), .integer(start.at.secondsSince1970), .text(start.id)]
    }

    package init(auditEntries filter: AuditFilter, before position: AuditPosition?) {
        var conditions: [String] = []
        var values: [KeptStatement.Value] = []
        if let user = filter.user {
            conditions.append("user_id = ?")
            values.append(.text(user.rawValue))
        }
        if let problem = filter.problem {
            conditions.append("problem = ?")
            values.append(.text(problem.rawValue))
        }
        if let kind = filter.kind, !filter.isKindOfUser {
            conditions.append(filter.problem == nil ? "kind = ?" : "+kind = ?")
            values.append(.text(kind.rawValue))
        }
        if let position {
            conditions.append("(at, chain, sequence) < (?, ?, ?)")
            values += [
                .integer(position.at.secondsSince1970), .text(position.chain.rawValue), .integer(position.sequence),
            ]
        } else {
            conditions.append("at <= ?")
            values.append(.integer((filter.until ?? .latest).secondsSince1970))
        }
        order = "at DESC, chain DESC, sequence DESC"
        let place = conditions.joined(separator: " AND ")
        guard let kind = filter.kind, filter.isKindOfUser else {
            (tables, condition, self.values) = ("audit_entry", place, values)
            return
        }
        tables = """
            (SELECT \(AuditRow.columns), kind FROM audit_entry WHERE \(place) ORDER BY \(order) \
            LIMIT \(AuditFilter.searchedEntryCount))
            """
        condition = "kind = ?"
        self.values = values + [.text(kind.rawValue)]
    }
}
