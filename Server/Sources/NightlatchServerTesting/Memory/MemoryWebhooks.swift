import NightlatchRelyingParty
import NightlatchWire

/// The webhooks and deliveries of a store in memory.
struct MemoryWebhooks {
    var stored: [WebhookID: StoredWebhook] = [:]
    /// All deliveries, in the order of their numbers.
    private(set) var deliveries: [Queued] = []
    private var lastNumber = 0

    /// A delivery and the name of its order.
    struct Queued {
        var delivery: WebhookDelivery
        var order: String
    }

    mutating func add(_ event: AuditEvent, at place: AuditPlace, time: NumericDate) {
        let receivers = stored.values.map(\.webhook).filter { webhook in
            event.kind == .webhookTested ? webhook.id == event.webhook : webhook.wants(event.kind)
        }
        for webhook in receivers {
            lastNumber += 1
            let delivery = WebhookDelivery(
                number: lastNumber, webhook: webhook.id, place: place, createdAt: time)
            deliveries.append(Queued(delivery: delivery, order: event.deliveryOrder(at: place)))
        }
    }

    mutating func remove(_ id: WebhookID) {
        stored[id] = nil
        deliveries.removeAll { $0.delivery.webhook == id }
    }

    mutating func rename(_ order: String, to other: String) {
        for index in deliveries.indices where deliveries[index].order == order { deliveries[index].order = other }
    }

    /// Deletes the dead letters that died long before `time`, and the deliveries that were added long before it.
    mutating func purge(at time: NumericDate) {
        deliveries.removeAll { queued in
            let delivery = queued.delivery
            return delivery.diedAt.map { $0 + StoreRetention.deadLetter < time }
                ?? (delivery.createdAt + StoreRetention.waitingDelivery < time)
        }
    }

    /// The places of the deliveries that may be claimed: the first of each order, if it is due.
    private func claimable(of id: WebhookID, at now: NumericDate) -> [Int] {
        var orders: Set<String> = []
        return deliveries.indices.filter { index in
            let queued = deliveries[index]
            guard queued.delivery.webhook == id, queued.delivery.diedAt == nil, orders.insert(queued.order).inserted
            else { return false }
            return queued.delivery.dueAt <= now || queued.delivery.dueAt > now + WebhookRetry.ceiling
        }
    }

    func isDue(_ id: WebhookID, at now: NumericDate) -> Bool { !claimable(of: id, at: now).isEmpty }

    mutating func claim(of id: WebhookID, limit: Int, until end: NumericDate, at now: NumericDate) -> [WebhookDelivery]
    {
        claimable(of: id, at: now).prefix(limit).map { index in
            deliveries[index].delivery.attempts += 1
            deliveries[index].delivery.dueAt = end
            return deliveries[index].delivery
        }
    }

    mutating func finish(_ delivery: WebhookDelivery, _ result: WebhookResult, at now: NumericDate) -> Bool {
        guard let index = deliveries.firstIndex(where: { $0.delivery.number == delivery.number }) else { return false }
        switch result {
        case .delivered: deliveries.remove(at: index)
        case .failed(let failure, let wait):
            let current = deliveries[index].delivery
            guard current.attempts == delivery.attempts, current.diedAt == nil else { return false }
            deliveries[index].delivery.failure = failure
            if !failure.isAttempt { deliveries[index].delivery.attempts -= 1 }
            if let wait {
                deliveries[index].delivery.dueAt = now + wait
            } else {
                deliveries[index].delivery.diedAt = now
            }
        }
        return true
    }

    mutating func change(_ change: DeadLetterChange, of id: WebhookID, number: Int?, at now: NumericDate) -> Int {
        let chosen = deliveries.indices.filter { index in
            let delivery = deliveries[index].delivery
            guard delivery.webhook == id, number == nil || delivery.number == number else { return false }
            return switch change {
            case _ where delivery.diedAt != nil: true
            case .redeliver: delivery.failure != nil && delivery.dueAt > now + WebhookRetry.shortWait
            case .discard: number != nil
            }
        }
        for index in chosen.reversed() {
            switch change {
            case .redeliver:
                if deliveries[index].delivery.diedAt != nil { deliveries[index].delivery.attempts = 0 }
                deliveries[index].delivery.dueAt = now
                deliveries[index].delivery.diedAt = nil
            case .discard: deliveries.remove(at: index)
            }
        }
        return chosen.count
    }
}
