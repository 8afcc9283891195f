import HTTPTypes

extension HTTPField.Name {
    /// The proof of [RFC 9449, section 4.1](https://www.rfc-editor.org/rfc/rfc9449#section-4.1).
    static let dpop = named("DPoP")
    /// What the next proof must carry ([RFC 9449, section 8.1](https://www.rfc-editor.org/rfc/rfc9449#section-8.1)).
    static let dpopNonce = named("DPoP-Nonce")
    /// The name of a request in this relying party's log.
    static let requestID = named("X-Request-Id")

    /// Written by proxies; see ``ClientAddress``.
    static let xForwardedFor = named("X-Forwarded-For")

    private static func named(_ name: StaticString) -> Self {
        guard let field = Self(name.description) else { preconditionFailure("not a header's name: \(name)") }
        return field
    }
}
