public import NightlatchWire

/// The webhooks, and the events that are to be delivered to them. Each verb is one transaction, as in
/// ``RelyingPartyStore``.
///
/// Every verb that appends an event to the audit log also adds one delivery for each webhook that subscribes to its
/// kind, in the same transaction. A paused webhook also gets deliveries.
public protocol WebhookStore: Sendable {
    /// All webhooks, in the byte order of their ids. Writes nothing.
    func webhooks() async throws(RelyingPartyStoreError) -> [StoredWebhook]

    /// Adds a webhook, or replaces the one of its id. A repeated call with the same webhook changes nothing.
    ///
    /// - Parameters:
    ///   - webhook: The webhook.
    ///   - revision: The ``StoredWebhook/revision`` that is to be replaced; nil if the id must be new.
    ///   - actor: The party that changes it.
    func putWebhook(
        _ webhook: Webhook, replacing revision: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> WebhookChangeOutcome

    /// Removes a webhook and all its deliveries, dead letters included. Idempotent.
    ///
    /// - Returns: Whether this call removed it.
    func removeWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool

    /// Appends an event `webhook_tested` to the audit log, and a delivery of it for this webhook only.
    ///
    /// - Returns: Whether there is such a webhook. If not, nothing was written.
    func testWebhook(_ id: WebhookID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> Bool

    /// The webhooks that are not paused and have a delivery that is due. Writes nothing.
    func dueWebhooks() async throws(RelyingPartyStoreError) -> [WebhookID]

    /// Claims deliveries that are due, each for one attempt of this process.
    ///
    /// Of the deliveries with one ``AuditEvent/deliveryOrder(at:)`` only the first can be claimed: the next one waits until
    /// it was delivered or is a dead letter. If the attempt is not finished before the lease ends by the store's clock,
    /// the delivery can be claimed again. Two processes do not claim the same delivery at the same time. A delivery whose
    /// time is further away than ``WebhookRetry/ceiling`` is due: the clock was ahead when the time was written.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - limit: The largest number of deliveries.
    ///   - lease: The time for the attempts.
    /// - Returns: The claim. If it is empty, only deliveries were looked at that wait for an earlier one: then call again.
    ///   Nil if there is no such webhook, if it is paused, if nothing is due, or if another process claims
    ///   deliveries of the webhook at this moment.
    func claimDeliveries(
        of id: WebhookID, limit: Int, lease: Duration
    ) async throws(RelyingPartyStoreError) -> WebhookClaim?

    /// Records the result of an attempt.
    ///
    /// A delivered event is deleted, also if the lease has ended. A failure is recorded only if the delivery was not
    /// claimed again since. It counts as an attempt only if ``WebhookFailure/isAttempt``.
    ///
    /// - Returns: Whether the result was recorded. If not, another process has recorded one, or the webhook was
    ///   removed.
    func finishDelivery(
        _ delivery: WebhookDelivery, _ result: WebhookResult
    ) async throws(RelyingPartyStoreError) -> Bool

    /// Deliveries in their order. Writes nothing.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - areDead: Whether to return the dead letters, or the deliveries that wait or are repeated.
    ///   - number: Only deliveries after this ``WebhookDelivery/number``; nil to start with the first.
    ///   - limit: The largest number of deliveries to return.
    func deliveries(
        of id: WebhookID, areDead: Bool, after number: Int?, limit: Int
    ) async throws(RelyingPartyStoreError) -> [WebhookDelivery]

    /// Delivers events again, or deletes them.
    ///
    /// Dead letters that are delivered again get all attempts. A delivery that has failed and waits for more than half a
    /// minute becomes due at once. A delivery that waits is deleted only if `number` names it; the next one of its order
    /// is then due.
    ///
    /// - Parameters:
    ///   - change: Whether to deliver or to delete.
    ///   - id: The webhook.
    ///   - number: The number of one delivery; nil for all.
    ///   - actor: The party that changes them.
    /// - Returns: The number of deliveries that were changed. If it is 0, nothing was written.
    func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> Int

    /// The deliveries of a webhook in figures. Writes nothing.
    func webhookFigures(of id: WebhookID) async throws(RelyingPartyStoreError) -> WebhookFigures
}

/// What an operator does with dead letters, or with a delivery that holds up others.
public enum DeadLetterChange: Hashable, Sendable {
    case redeliver
    case discard
}

extension DeadLetterChange {
    /// The kind of event that records the change.
    package var event: AuditEvent.Kind {
        switch self {
        case .redeliver: .webhookRedelivered
        case .discard: .webhookDiscarded
        }
    }
}

/// The outcome of adding or changing a webhook. Only `stored` means that the store wrote something.
public enum WebhookChangeOutcome: Hashable, Sendable {
    case stored(StoredWebhook)
    /// The id is not new, or the webhook was changed or removed since it was read. Contains the current record; nil if
    /// there is none.
    case changed(StoredWebhook?)
    /// There are ``Webhook/countLimit`` webhooks already.
    case tooMany

    /// Decides about a call of ``WebhookStore/putWebhook(_:replacing:by:)``.
    ///
    /// - Parameters:
    ///   - webhook: The webhook.
    ///   - revision: The revision that is to be replaced.
    ///   - current: The stored webhook of this id.
    ///   - count: The number of webhooks.
    package init(putting webhook: Webhook, replacing revision: Int?, current: StoredWebhook?, count: Int) {
        if let current, current.webhook == webhook, current.revision - 1 == revision ?? 0 {
            // The answer of the same call was lost.
            self = .stored(current)
        } else if current?.revision != revision {
            self = .changed(current)
        } else if current == nil && count >= Webhook.countLimit {
            self = .tooMany
        } else {
            self = .stored(StoredWebhook(webhook: webhook, revision: (current?.revision ?? 0) + 1))
        }
    }
}
