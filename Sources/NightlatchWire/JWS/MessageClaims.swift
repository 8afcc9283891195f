/// The payload of one kind of signed message.
public protocol MessageClaims: Codable, Sendable {
    /// The `typ` that every message with these claims carries.
    static var messageType: MessageType { get }
}
