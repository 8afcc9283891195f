import NightlatchWire

/// The newest nonce of one server ([RFC 9449, section 8.2](https://www.rfc-editor.org/rfc/rfc9449#section-8.2)).
actor ReceivedNonces {
    private(set) var newest: DPoPNonce?

    /// Stores the nonce of an answer's header. Ignores an invalid one.
    func note(_ text: String?) {
        guard let nonce = text.flatMap(DPoPNonce.init) else { return }
        newest = nonce
    }
}
