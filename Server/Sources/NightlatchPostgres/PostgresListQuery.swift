package import NightlatchRelyingParty
package import NightlatchWire

/// The part of a query that selects the rows of a list, so that PostgreSQL can read them along one index.
package struct PostgresListQuery {
    /// The tables, the conditions and the order.
    package let tables: String
    package let condition: String
    package let order: String
    let values: [PostgresValue]

    /// A query that reads `columns` of at most as many rows as its last parameter.
    package func rows(_ columns: String) -> String {
        "SELECT \(columns) FROM \(tables) WHERE \(condition) ORDER BY \(order) LIMIT $\(values.count + 1)"
    }

    /// A query that counts at most as many rows as its last parameter, as `count`.
    package var count: String {
        """
        SELECT count(*) AS count FROM (SELECT 1 FROM \(tables) WHERE \(condition) LIMIT $\(values.count + 1)) AS counted
        """
    }

    /// Numbers the parameters while a condition is built.
    private struct Parameters {
        private(set) var values: [PostgresValue] = []

        mutating func add(_ value: PostgresValue) -> String {
            values.append(value)
            return "$\(values.count)"
        }
    }
}

extension PostgresListQuery {
    package init(usersMatching prefix: SearchText?, after position: ListPosition?) {
        let start = ListPosition.start(of: prefix, position)
        tables = "user_account"
        condition = "(folded_id, id) > ($1, $2) AND folded_id < $3"
        order = "folded_id, id"
        values = [.text(start.text.folded), .text(start.id), .text((prefix ?? SearchText(stored: "")).end)]
    }

    package init(devices filter: DeviceFilter, after position: ListPosition?) {
        var conditions: [String] = []
        var parameters = Parameters()
        switch filter.status {
        case .active: conditions.append("revoked_at IS NULL AND blocked_at IS NULL")
        case .blocked: conditions.append("revoked_at IS NULL AND blocked_at IS NOT NULL")
        case .revoked: conditions.append("revoked_at IS NOT NULL")
        case .pinUsedUp:
            // Few PINs are used up at one time: their keys are destroyed after minutes.
            conditions.append("device.id IN (SELECT device_id FROM pin_hardening WHERE exhausted_at IS NOT NULL)")
        case nil: break
        }
        if let client = filter.client {
            conditions.append("client_id = \(parameters.add(.text(client.rawValue)))")
        }
        tables = "device"
        guard filter.isOrderedByID else {
            let start = ListPosition.start(of: filter.name, position)
            let (text, id) = (parameters.add(.text(start.text.folded)), parameters.add(.text(start.id)))
            let end = parameters.add(.text((filter.name ?? SearchText(stored: "")).end))
            condition = (conditions + ["(folded_name, id) > (\(text), \(id)) AND folded_name < \(end)"])
                .joined(separator: " AND ")
            order = "folded_name, id"
            values = parameters.values
            return
        }
        if let name = filter.name {
            let (from, end) = (parameters.add(.text(name.folded)), parameters.add(.text(name.end)))
            conditions.append("folded_name >= \(from) AND folded_name < \(end)")
        }
        let (from, last) = (filter.id ?? "", position?.id ?? "")
        let start = parameters.add(.text(last < from ? from : last))
        conditions.append("id \(last < from ? ">=" : ">") \(start)")
        conditions.append("id < \(parameters.add(.text(from + "\u{10FFFF}")))")
        condition = conditions.joined(separator: " AND ")
        order = "id"
        values = parameters.values
    }

    package init(transactions filter: TransactionFilter, before position: TimePosition?, now: NumericDate) {
        tables = "user_transaction LEFT JOIN device ON device.id = user_transaction.device_id"
        let time = filter.isOrderedByExpiry ? "expires_at" : "created_at"
        order = "\(time) DESC, user_transaction.id DESC"
        var start = TimePosition.start(until: filter.until, position)
        var conditions: [String] = []
        var parameters = Parameters()
        if let user = filter.user {
            conditions.append("user_transaction.user_id = \(parameters.add(.text(user.rawValue)))")
        }
        switch filter.state {
        case nil: break
        case .pending:
            let end = parameters.add(.integer(now.secondsSince1970))
            conditions.append("ended_as IS NULL AND expires_at >= \(end)")
        case .expired where filter.user == nil:
            conditions.append("ended_as IS NULL")
            let end = TimePosition(at: now, id: "")
            if start.isBefore(end) { start = end }
        case .expired:
            let end = parameters.add(.integer(now.secondsSince1970))
            conditions.append("ended_as IS NULL AND expires_at < \(end)")
        case .confirmed, .rejected, .voided:
            conditions.append("ended_as = \(parameters.add(.text(filter.state?.rawValue)))")
        }
        let (at, id) = (parameters.add(.integer(start.at.secondsSince1970)), parameters.add(.text(start.id)))
        conditions.append("(\(time), user_transaction.id) < (\(at), \(id))")
        condition = conditions.joined(separator: " AND ")
        values = parameters.values
    }

    package init(waitingRemoteLoginsBefore position: TimePosition?, now: NumericDate) {
        let start = TimePosition.start(until: nil, position)
        tables = "remote_login"
        condition = "state = 'pending' AND expires_at >= $1 AND (expires_at, id) < ($2, $3)"
        order = "expires_at DESC, id DESC"
        values = [.integer(now.secondsSince1970), .integer(start.at.secondsSince1970), .text(start.id)]
    }

    package init(auditEntries filter: AuditFilter, before position: AuditPosition?) {
        var conditions: [String] = []
        var parameters = Parameters()
        if let user = filter.user { conditions.append("user_id = \(parameters.add(.text(user.rawValue)))") }
        if let problem = filter.problem {
            conditions.append("\(PostgresAuditText.problem) = \(parameters.add(.text(problem.rawValue)))")
        }
        if let kind = filter.kind, !filter.isKindOfUser {
            conditions.append("\(PostgresAuditText.kind) = \(parameters.add(.text(kind.rawValue)))")
        }
        if let position {
            let place = [
                parameters.add(.integer(position.at.secondsSince1970)), parameters.add(.text(position.chain.rawValue)),
                parameters.add(.integer(position.sequence)),
            ].joined(separator: ", ")
            conditions.append("(at, chain, sequence) < (\(place))")
        } else {
            let end = parameters.add(.integer((filter.until ?? .latest).secondsSince1970))
            conditions.append("at <= \(end)")
        }
        order = "at DESC, chain DESC, sequence DESC"
        let place = conditions.joined(separator: " AND ")
        if let kind = filter.kind, filter.isKindOfUser {
            tables = """
                (SELECT \(AuditRow.columns) FROM audit_entry WHERE \(place) ORDER BY \(order) \
                LIMIT \(AuditFilter.searchedEntryCount)) AS entry_of_user
                """
            condition = "\(PostgresAuditText.kind) = \(parameters.add(.text(kind.rawValue)))"
        } else {
            (tables, condition) = ("audit_entry", place)
        }
        values = parameters.values
    }
}
