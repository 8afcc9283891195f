import Foundation
import NightlatchRelyingParty
import NightlatchWire

/// Collects the newest exchanges, each with the audit entries that it caused.
actor ServerEvents {
    /// The maximum number of exchanges.
    private static let limit = 60

    private let store: any RelyingPartyStore
    private let show: @Sendable ([ServerEvent]) -> Void
    private var events: [ServerEvent] = []
    private var count = 0
    private var seen: [AuditChainID: Int] = [:]

    /// Creates an empty list of events.
    ///
    /// - Parameters:
    ///   - store: The store with the audit log.
    ///   - show: Called with the events to show, newest first.
    init(store: any RelyingPartyStore, show: @escaping @Sendable ([ServerEvent]) -> Void) {
        self.store = store
        self.show = show
    }

    func note(_ exchange: Exchange) async {
        let entries = await newEntries()
        guard let reading = ExchangeReading(exchange) else { return }
        add(reading, of: exchange.sender, at: exchange.at, entries, exchange)
    }

    /// Adds an action of an operator, who uses the server without a request.
    func note(_ headline: String, _ facts: KeyValuePairs<String, String>) async {
        let entries = await newEntries()
        add(ExchangeReading(headline, facts), of: .operator, at: Date(), entries, nil)
    }

    private func add(
        _ reading: ExchangeReading, of sender: ServerEvent.Sender, at time: Date, _ entries: [ServerEvent.Entry],
        _ exchange: Exchange?
    ) {
        count += 1
        let event = ServerEvent(
            number: count, time: time.formatted(ExchangeReading.clock), sender: sender,
            request: exchange.map { .init(text: "\($0.method) \($0.path)", status: $0.status) },
            headline: reading.headline, facts: reading.facts, steps: reading.steps,
            endsCeremony: reading.endsCeremony, audit: entries, messages: exchange?.signedMessages ?? [])
        events = [event] + events.prefix(Self.limit - 1)
        show(events)
    }

    /// Returns the audit entries written since the last call, oldest first.
    private func newEntries() async -> [ServerEvent.Entry] {
        var entries: [ServerEvent.Entry] = []
        do {
            for head in try await store.auditHeads() where head.sequence > seen[head.chain, default: 0] {
                let place = AuditPlace(chain: head.chain.rawValue, sequence: seen[head.chain, default: 0])
                let rows = try await store.auditRows(after: place, limit: 50).prefix { $0.place.chain == place.chain }
                for row in rows { entries.append(Self.entry(row)) }
                seen[head.chain] = rows.last?.place.sequence ?? head.sequence
            }
        } catch {
            entries.append(.init(text: "The audit log could not be read.", hash: ""))
        }
        return entries
    }

    private static func entry(_ row: AuditRow) -> ServerEvent.Entry {
        let event = AuditEntry(row)?.event
        let text = event.map { "\($0.kind.rawValue), by \($0.actor.kind.rawValue)" } ?? "an entry that cannot be read"
        return .init(text: "\(row.place.sequence). \(text)", hash: ExchangeReading.short(row.hash))
    }
}
