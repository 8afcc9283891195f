package import NightlatchWire

extension Administration {
    /// The number of attempts to change a webhook that others change at the same time.
    private static let webhookAttemptLimit = 8
    /// How long the previous secret of a webhook signs too, if the operator does not say.
    package static let secretOverlap: Duration = .seconds(24 * 60 * 60)
    /// The permitted overlaps, in hours.
    package static let secretOverlapHours = 0...(30 * 24)

    /// All webhooks, in the order of their ids.
    package func webhooks() async throws(AdministrationError) -> [StoredWebhook] {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.webhooks() }
    }

    package func webhook(_ id: WebhookID) async throws(AdministrationError) -> StoredWebhook {
        guard let found = try await webhooks().first(where: { $0.webhook.id == id }) else { throw .webhookUnknown }
        return found
    }

    /// The deliveries of a webhook in figures.
    package func webhookFigures(of id: WebhookID) async throws(AdministrationError) -> WebhookFigures {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.webhookFigures(of: id) }
    }

    /// Adds a webhook.
    ///
    /// - Returns: The webhook, and the text for its receiver: the secret, or the public key. The secret cannot be shown
    ///   again.
    package func add(
        _ request: WebhookRequest, under masterKey: MasterKey, at now: NumericDate
    ) async throws(AdministrationError) -> (webhook: StoredWebhook, forReceiver: String) {
        guard let new = request.webhook(under: masterKey, at: now) else { throw .noWebhookSecret }
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.putWebhook(new.webhook, replacing: nil, by: .operator)
        }
        switch outcome {
        case .stored(let stored): return (stored, new.forReceiver)
        case .changed: throw .webhookChanged
        case .tooMany: throw .tooManyWebhooks
        }
    }

    /// Changes a webhook.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - change: Changes the webhook. Runs again if the webhook was changed at the same time.
    /// - Returns: The webhook as it is stored.
    package func changeWebhook(
        _ id: WebhookID, _ change: (inout Webhook) -> Void
    ) async throws(AdministrationError) -> StoredWebhook {
        var current = try await webhook(id)
        for _ in 0..<Self.webhookAttemptLimit {
            var new = current.webhook
            change(&new)
            let outcome = try await ask { () async throws(RelyingPartyStoreError) in
                new == current.webhook
                    ? .stored(current)
                    : try await store.putWebhook(new, replacing: current.revision, by: .operator)
            }
            switch outcome {
            case .stored(let stored): return stored
            case .changed(let newer?): current = newer
            case .changed(nil), .tooMany: throw .webhookUnknown
            }
        }
        throw .store(RelyingPartyStoreError(.unavailable))
    }

    /// Gives a webhook a new secret. The previous one signs too until the overlap ends.
    ///
    /// - Returns: The webhook, and the text for its receiver, as when it was added.
    /// - Throws: ``AdministrationError`` `webhookChanged` if the webhook was changed at the same time. The secret was
    ///   not changed.
    package func rotateSecret(
        of id: WebhookID, under masterKey: MasterKey, overlap: Duration, at now: NumericDate
    ) async throws(AdministrationError) -> (webhook: StoredWebhook, forReceiver: String) {
        let current = try await webhook(id)
        guard let new = current.webhook.rotatingSecret(under: masterKey, overlap: overlap, at: now) else {
            throw .noWebhookSecret
        }
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.putWebhook(new.webhook, replacing: current.revision, by: .operator)
        }
        guard case .stored(let stored) = outcome else { throw .webhookChanged }
        return (stored, new.forReceiver)
    }

    /// Removes a webhook and the events that wait for it.
    package func removeWebhook(_ id: WebhookID) async throws(AdministrationError) {
        let isRemoved = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.removeWebhook(id, by: .operator)
        }
        guard isRemoved else { throw .webhookUnknown }
    }

    /// Sends an event `webhook_tested` to the receiver. A running server delivers it, as every event.
    package func testWebhook(_ id: WebhookID) async throws(AdministrationError) {
        let isKnown = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.testWebhook(id, by: .operator)
        }
        guard isKnown else { throw .webhookUnknown }
    }

    /// Deliveries of a webhook, oldest first.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - areDead: Whether to return the dead letters, or the deliveries that wait or are repeated.
    ///   - last: ``AdministrationPage/next`` of the previous page; nil for the first page.
    ///   - pageLength: The largest number of deliveries to return, within ``pageLengths``.
    package func deliveries(
        of id: WebhookID, areDead: Bool, after last: Int? = nil, pageLength: Int = defaultPageLength
    ) async throws(AdministrationError) -> AdministrationPage<WebhookDelivery, Int> {
        _ = try await webhook(id)
        let length = Self.clamped(pageLength)
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.deliveries(of: id, areDead: areDead, after: last, limit: length + 1)
        }
        return AdministrationPage(found, length: length, position: \.number)
    }

    /// Delivers dead letters again, or deletes them.
    ///
    /// - Returns: Their number.
    package func changeDeadLetters(
        _ change: DeadLetterChange, of id: WebhookID, number: Int?
    ) async throws(AdministrationError) -> Int {
        _ = try await webhook(id)
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.changeDeadLetters(change, of: id, number: number, by: .operator)
        }
    }
}
