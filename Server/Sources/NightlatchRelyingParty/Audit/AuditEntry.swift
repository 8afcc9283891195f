public import NightlatchWire

/// An event with its position in the log.
public struct AuditEntry: Hashable, Sendable {
    public let chain: AuditChainID
    /// The position in the chain; 1 for its first entry.
    public let sequence: Int
    public let at: NumericDate
    public let event: AuditEvent

    public init(chain: AuditChainID, sequence: Int, at: NumericDate, event: AuditEvent) {
        self.chain = chain
        self.sequence = sequence
        self.at = at
        self.event = event
    }

    /// Parses the form that ``bytes`` returns. Returns nil for anything else, including the same members in another
    /// order.
    public init?(bytes: [UInt8]) {
        do {
            self = try StrictJSON.decode(Self.self, from: bytes)
        } catch {
            return nil
        }
        guard self.bytes == bytes else { return nil }
    }

    /// The entry as it is hashed and stored: one JSON object with its members sorted by name.
    public var bytes: [UInt8] { StrictJSON.bytes(of: self) }
}

extension AuditEntry: Codable {
    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        chain = try members.value("chain")
        sequence = try members.value("sequence")
        at = try members.value("at")
        event = try AuditEvent(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try event.encode(to: encoder, in: self) }
}
