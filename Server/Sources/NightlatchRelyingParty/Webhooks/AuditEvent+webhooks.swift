extension AuditEvent {
    /// A webhook was added or changed.
    ///
    /// - Parameters:
    ///   - webhook: The webhook.
    ///   - old: The webhook before; nil if it is new.
    ///   - actor: The party that changed it.
    package init(put webhook: Webhook, replacing old: Webhook?, by actor: ActingParty) {
        let kind: Kind
        switch old {
        case nil: kind = .webhookAdded
        case let old? where old.pause == nil && webhook.pause != nil: kind = .webhookPaused
        case let old? where old.pause != nil && webhook.pause == nil: kind = .webhookResumed
        case let old? where old.secrets != webhook.secrets: kind = .webhookSecretRotated
        default: kind = .webhookChanged
        }
        self.init(kind, by: actor)
        self.webhook = webhook.id
    }

    /// Something happened to a webhook.
    package init(_ kind: Kind, of webhook: WebhookID, count: Int? = nil, by actor: ActingParty) {
        self.init(kind, by: actor, count: count)
        self.webhook = webhook
    }
}
