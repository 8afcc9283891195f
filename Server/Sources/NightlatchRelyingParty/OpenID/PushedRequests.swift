import NightlatchWire

/// Seals pushed authorization requests into their URIs ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126)).
///
/// A `request_uri` contains the request in an AES-256-GCM sealed box, bound to the app. So pushing writes nothing, and
/// any process with the key accepts it. It can be used any number of times for a minute.
package struct PushedRequests: Sendable {
    /// The lifetime of a pushed request.
    package static let life: Duration = .seconds(60)
    private static let prefix = "urn:ietf:params:oauth:request_uri:"
    /// The largest request in bytes, so that its URI fits into a request line.
    private static let byteCountLimit = 4096

    private let sealer: JSONSealer

    package init(keyring: MasterKeyring) { sealer = JSONSealer(keyring: keyring, for: .pushedRequest) }

    /// The answer to a pushed request.
    package struct Receipt: Encodable, Hashable, Sendable {
        package let uri: String

        package func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("expires_in", Int(PushedRequests.life.components.seconds))
            try members.add("request_uri", uri)
        }
    }

    private struct Content: Codable {
        let expiresAt: NumericDate
        let fields: [String: String]
    }

    func seal(_ fields: [String: String], of app: App, now: NumericDate) throws(Refusal) -> Receipt {
        let content = Content(
            expiresAt: now + Self.life, fields: fields.filter { !WaitingAuthorization.secrets.contains($0.key) })
        let plaintext = StrictJSON.encode(content)
        guard plaintext.count <= Self.byteCountLimit else {
            throw .malformed(detail: "A pushed request must have at most \(Self.byteCountLimit) bytes.")
        }
        guard let text = sealer.seal(plaintext, for: app.id) else { throw .internalError }
        return Receipt(uri: Self.prefix + text)
    }

    /// The parameters that the app pushed, if `fields` name them; otherwise `fields`.
    ///
    /// - Throws: ``Refusal`` `malformed` if the URI is expired, is another app's or is not from this server.
    func open(_ fields: [String: String], of app: App, at now: NumericDate) throws(Refusal) -> [String: String] {
        guard let uri = fields["request_uri"] else { return fields }
        guard uri.hasPrefix(Self.prefix),
            let content: Content = sealer.open(String(uri.dropFirst(Self.prefix.count)), for: app.id),
            now <= content.expiresAt
        else { throw .malformed(detail: "The request_uri is expired or unknown. Push the request again.") }
        return content.fields
    }
}
