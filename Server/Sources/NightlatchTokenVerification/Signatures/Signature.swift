package import NightlatchWire

extension CompactJWS {
    /// Whether ``signature`` is a valid signature of `key` over the message.
    ///
    /// The key determines the algorithm: a header that names an algorithm which is not the key's own is refused, so a
    /// message cannot choose how it is verified ([RFC 8725, section
    /// 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    package func isSigned(by key: PublicJWK) -> Bool {
        key.isSignature(signature, of: signingInput, by: header.algorithm)
    }
}
