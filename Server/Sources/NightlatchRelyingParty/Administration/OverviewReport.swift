import NightlatchWire

/// The figures of the overview as operators' programs see them.
package struct OverviewReport: Encodable, Sendable {
    private let overview: OperatorOverview

    package init(_ overview: OperatorOverview) { self.overview = overview }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        if let tail = overview.auditTail { try members.add("audit_tail", Tail(tail: tail)) }
        try members.add("blocked_devices", Count(count: overview.blockedDevices))
        try members.add("events", overview.events.counts.map(Events.init))
        if let until = overview.events.until { try members.add("events_until", until) }
        try members.add("pending_transactions", Count(count: overview.pendingTransactions))
        try members.add("used_up_pins", Count(count: overview.usedUpPins))
        try members.add("waiting_remote_logins", Count(count: overview.waitingRemoteLogins))
    }

    private struct Count: Encodable {
        let count: BoundedCount

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("count", count.value)
            try members.add("is_more", count.isMore)
        }
    }

    private struct Tail: Encodable {
        let tail: AuditTail

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("checked_entries", tail.checkedCount)
            try members.add("is_intact", tail.isIntact)
        }
    }

    private struct Events: Encodable {
        let count: EventFigures.Count

        init(_ count: EventFigures.Count) { self.count = count }

        func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("event", count.kind)
            try members.add("last_day", count.lastDay)
            try members.add("last_hour", count.lastHour)
            try members.addIfPresent("problem", count.problem)
        }
    }
}
