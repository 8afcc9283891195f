/// An encoded header, for a sender that signs many messages with the same key. It is encoded once.
public struct EncodedJWSHeader: Hashable, Sendable {
    /// The kind of the messages that use this header.
    public let type: MessageType
    let text: String

    public init(_ header: JWSHeader) {
        type = header.type
        text = Base64URL.encode(StrictJSON.bytes(of: header))
    }
}
