/// The payload of one kind of signed message.
public protocol MessageClaims: Codable, Sendable {
    /// The `typ` of every message with these claims.
    static var messageType: MessageType { get }
}
