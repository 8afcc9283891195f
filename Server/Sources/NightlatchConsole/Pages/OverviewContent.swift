import NightlatchRelyingParty
import NightlatchWire

/// The values for the template of the overview.
struct OverviewContent: Sendable {
    let search: String
    let storeState: String
    let storeSentence: String
    /// The numbers of what waits or is stopped now.
    let figures: [Figure]
    /// The numbers of events, with those of refused requests by cause.
    let counts: [EventRow]
    let countCaption: String
    let tail: Tail?
    let audit: String
    let eventCaption: String
    let events: [ShownEvent]

    /// A number that leads to the list of what it counts.
    struct Figure: Sendable {
        let name: String
        let number: String
        let address: String

        init(_ count: BoundedCount, _ one: String, _ many: String, at address: String) {
            name = count.value == 1 ? one : many
            number = count.value.grouped + (count.isMore ? "+" : "")
            self.address = address
        }
    }

    /// The numbers of one kind of events.
    struct EventRow: Sendable {
        let name: String
        let lastHour: String
        let lastDay: String
        let address: String
        /// Whether the row is a part of the one above.
        let isPart: Bool
    }

    /// The state of the chain of the audit log that was written to last.
    struct Tail: Sendable {
        let state: String
        let number: String
        let chain: String
        let at: ShownTime
        let sentence: String
    }

    init(_ overview: OperatorOverview, isReady: Bool, hasJourneys: Bool, links: ConsoleLinks) {
        search = links.link(.find)
        storeState = isReady ? "ready" : "unavailable"
        storeSentence = isReady ? "It can be read and written." : "It cannot be written now; the log says why."
        figures = [
            Figure(
                overview.pendingTransactions, "transaction waits", "transactions wait",
                at: links.link(.transactions, ("state", TransactionState.pending.rawValue))),
            Figure(
                overview.waitingRemoteLogins, "remote login waits", "remote logins wait",
                at: links.link(.remoteLogins)),
            Figure(
                overview.blockedDevices, "device is blocked", "devices are blocked",
                at: links.link(.devices, ("status", DeviceFilter.Status.blocked.rawValue))),
            Figure(
                overview.usedUpPins, "two-party PIN has no guess left", "two-party PINs have no guess left",
                at: links.link(.devices, ("status", DeviceFilter.Status.pinUsedUp.rawValue))),
        ]
        counts = Self.counts(overview.events, hasJourneys: hasJourneys, links: links)
        countCaption =
            overview.events.until.map {
                "The hour and the day before \(ShownTime($0).text) UTC, at all servers of this store"
            } ?? "The first events are counted within three minutes."
        tail = overview.auditTail.map { Tail($0) }
        audit = links.link(.audit)
        eventCaption = "The newest entries of all users"
        events = overview.newestEntries.map { ShownEvent($0, links: links) }
    }

    private static func counts(_ figures: EventFigures, hasJourneys: Bool, links: ConsoleLinks) -> [EventRow] {
        guard let until = figures.until else { return [] }
        let time = (name: "until", value: ListTime(before: until).text)
        func row(_ name: String, _ kind: AuditEvent.Kind) -> EventRow {
            let total = figures.total(of: kind)
            return EventRow(
                name: name, lastHour: total.lastHour.grouped, lastDay: total.lastDay.grouped,
                address: links.link(.audit, query: [("kind", kind.rawValue), time]), isPart: false)
        }
        var rows = [row("Logins by devices", .loggedIn), row("Remote logins", .remoteLoginCompleted)]
        if hasJourneys || figures.total(of: .journeyLoggedIn).lastDay > 0 {
            rows.append(row("Logins by journeys", .journeyLoggedIn))
        }
        rows += [row("Two-party PINs destroyed", .pinKeysDestroyed), row("Requests refused", .requestsRefused)]
        let causes = figures.counts.filter { $0.kind == .requestsRefused }.sorted { $0.lastDay > $1.lastDay }
        return rows
            + causes.map { cause in
                EventRow(
                    name: cause.problem?.rawValue ?? "", lastHour: cause.lastHour.grouped,
                    lastDay: cause.lastDay.grouped,
                    address: links.link(.audit, query: [("problem", cause.problem?.rawValue ?? ""), time]),
                    isPart: true)
            }
    }
}

extension OverviewContent.Tail {
    fileprivate init(_ tail: AuditTail) {
        state = tail.isIntact ? "intact" : "damaged"
        number = tail.newest.sequence.grouped
        chain = tail.newest.chain.rawValue
        at = ShownTime(tail.newest.at)
        let entries = tail.checkedCount == 1 ? "entry" : "\(tail.checkedCount.grouped) entries"
        sentence =
            tail.isIntact
            ? "The newest \(entries) of this chain follow from each other."
            : "The newest \(entries) of this chain do not follow from each other: the log was changed."
    }
}
