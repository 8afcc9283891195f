package import NightlatchWire

/// A webhook that an operator adds.
package struct WebhookRequest: Sendable {
    package var name: WebhookName
    package var url: WebhookURL
    /// The kinds of event; nil for all.
    package var kinds: Set<AuditEvent.Kind>?
    package var signature: WebhookSignature

    package init(
        name: WebhookName, url: WebhookURL, kinds: Set<AuditEvent.Kind>? = nil, signature: WebhookSignature = .hmac
    ) {
        self.name = name
        self.url = url
        self.kinds = kinds
        self.signature = signature
    }

    /// Makes the webhook, with a new id and a new secret.
    ///
    /// - Returns: The webhook, and the text for its receiver: the secret, or the public key. Nil only if the
    ///   cryptographic library fails.
    package func webhook(under masterKey: MasterKey, at time: NumericDate) -> (webhook: Webhook, forReceiver: String)? {
        let (id, secret) = (WebhookID.random(), WebhookSecret.random(signature))
        guard let sealed = secret.sealed(of: id, under: masterKey) else { return nil }
        var webhook = Webhook(
            id: id, name: name, url: url, signature: signature, secrets: [sealed], createdAt: time)
        webhook.kinds = kinds
        return (webhook, secret.forReceiver)
    }
}

extension Webhook {
    /// Returns the webhook with a new secret. The newest of its secrets signs too until the overlap ends, so that the
    /// receiver has time to learn the new one. Earlier ones no longer sign.
    ///
    /// - Returns: Nil only if the cryptographic library fails.
    package func rotatingSecret(
        under masterKey: MasterKey, overlap: Duration, at time: NumericDate
    ) -> (webhook: Webhook, forReceiver: String)? {
        let secret = WebhookSecret.random(signature)
        guard let sealed = secret.sealed(of: id, under: masterKey) else { return nil }
        var webhook = self
        let old = secrets.prefix(overlap > .zero ? 1 : 0).map { old in
            var old = old
            old.until = time + overlap
            return old
        }
        webhook.secrets = [sealed] + old
        return (webhook, secret.forReceiver)
    }
}
