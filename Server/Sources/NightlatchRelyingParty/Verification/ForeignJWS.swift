import NightlatchTokenVerification
import NightlatchWire

/// The parts of a compact JWS whose `typ` other protocols define. Parsing checks the form, but neither the header nor
/// the signature.
///
/// `CompactJWS` reads only messages with a `MessageType`.
struct ForeignJWS: Hashable, Sendable {
    let header: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    /// The bytes that the signature covers.
    let signingInput: [UInt8]

    /// Returns nil for a text that is too long or has another form.
    init?(_ text: String) {
        guard text.utf8.count <= CompactJWS.byteCountLimit else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !signature.isEmpty
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Array(text.utf8.dropLast(parts[2].utf8.count + 1))
    }
}
