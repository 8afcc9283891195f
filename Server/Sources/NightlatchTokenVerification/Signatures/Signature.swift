package import NightlatchWire

extension CompactJWS {
    /// Returns whether ``signature`` is a valid signature of `key` over the message.
    ///
    /// The key determines the algorithm, so a message cannot choose how it is verified: false if the header names an
    /// algorithm that the key does not support ([RFC 8725, section
    /// 3.1](https://www.rfc-editor.org/rfc/rfc8725#section-3.1)).
    package func isSigned(by key: PublicJWK) -> Bool {
        key.isSignature(signature, of: signingInput, by: header.algorithm)
    }
}
