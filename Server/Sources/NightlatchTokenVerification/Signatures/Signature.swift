package import NightlatchWire

extension CompactJWS {
    /// Whether ``signature`` is one by `key` over the message.
    ///
    /// The key decides: a header that names an algorithm which is not the key's own is refused, so no message can choose how
    /// it is checked ([RFC 8725, section 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    package func isSigned(by key: PublicJWK) -> Bool {
        key.isSignature(signature, of: signingInput, by: header.algorithm)
    }
}
