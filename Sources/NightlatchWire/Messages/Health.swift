/// The answer of the health routes.
public struct Health: Codable, Hashable, Sendable {
    public let status: Status

    public enum Status: String, Codable, Sendable {
        case ok
    }

    public init(status: Status) {
        self.status = status
    }
}
