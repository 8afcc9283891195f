import Foundation
package import NightlatchWire

/// An event as it is sent to a receiver: the bytes of the body and the value of `webhook-id`.
///
/// Both are the same at every attempt and for every receiver. The one exception: after the user of an event was
/// deleted, the event is sent without the user's id, under the same `webhook-id`.
package struct WebhookMessage: Sendable {
    /// The id of the event: `evt_`, the chain of its audit entry, and the position in the chain.
    package let id: String
    package let body: [UInt8]

    package init(_ entry: AuditEntry) {
        id = Self.id(at: AuditPlace(chain: entry.chain.rawValue, sequence: entry.sequence))
        body = StrictJSON.bytes(of: WebhookEvent(entry))
    }

    /// The value of `webhook-id` of the event at a place of the audit log.
    package static func id(at place: AuditPlace) -> String { "evt_\(place.chain)_\(place.sequence)" }

    /// The headers that sign the message, in the order of their names.
    ///
    /// - Parameters:
    ///   - secrets: The secrets that sign. Each adds one signature.
    ///   - time: The time of this attempt.
    /// - Returns: Nil if a signature could not be made.
    package func headers(
        signedBy secrets: [WebhookSecret], at time: NumericDate
    ) -> [(name: String, value: String)]? {
        let content = Array("\(id).\(time.secondsSince1970).".utf8) + body
        let signatures = secrets.compactMap { $0.signature(of: content) }
        guard !signatures.isEmpty, signatures.count == secrets.count else { return nil }
        return [
            ("webhook-id", id), ("webhook-signature", signatures.joined(separator: " ")),
            ("webhook-timestamp", String(time.secondsSince1970)),
        ]
    }
}

/// The body of a message: `{"data","timestamp","type"}`.
private struct WebhookEvent: Encodable {
    let entry: AuditEntry

    init(_ entry: AuditEntry) { self.entry = entry }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("data", WebhookData(entry.event))
        try members.add("timestamp", entry.at.date.formatted(.iso8601))
        try members.add("type", entry.event.kind)
    }
}

/// The facts of an event. Signed claims of a journey are not among them, because they are content of the app.
private struct WebhookData: Encodable {
    let event: AuditEvent

    init(_ event: AuditEvent) { self.event = event }

    func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("actor", event.actor.kind)
        try members.addIfPresent("actor_key", event.actor.key)
        try members.addIfPresent("actor_name", event.actor.name)
        try members.addIfPresent("api_key", event.apiKey)
        try members.addIfPresent("api_key_name", event.apiKeyName)
        try members.addIfPresent("client", event.client)
        if let count = event.count { try members.add("count", count) }
        try members.addIfPresent("device", event.device)
        try members.addIfPresent("journey_key", event.journeyKey)
        if let list = event.list { try members.add("list", list) }
        if let changed = event.members { try members.add("members", changed) }
        if let changed = event.policyMembers { try members.add("policy_members", changed) }
        if let revision = event.policyRevision { try members.add("policy_revision", revision) }
        try members.addIfPresent("problem", event.problem)
        try members.addIfPresent("pseudonym", event.pseudonym)
        if let push = PushPayloads(event) { try members.add("push", push) }
        try members.addIfPresent("reason", event.reason)
        try members.addIfPresent("transaction", event.transaction)
        try members.addIfPresent("user", event.user)
        try members.addIfPresent("webhook", event.webhook)
    }
}
