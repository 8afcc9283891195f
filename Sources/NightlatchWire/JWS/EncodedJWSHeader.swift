/// A header as it stands in a message, for who signs many with the same key: it need not be written for each.
public struct EncodedJWSHeader: Hashable, Sendable {
    /// What messages under this header are for.
    public let type: MessageType
    let text: String

    public init(_ header: JWSHeader) {
        type = header.type
        text = Base64URL.encode(StrictJSON.bytes(of: header))
    }
}
