import Foundation
public import NightlatchWire

/// An event in its place in the log.
public struct AuditEntry: Hashable, Sendable {
    public let chain: AuditChainID
    /// 1 for a chain's first entry.
    public let sequence: Int
    public let at: NumericDate
    public let event: AuditEvent

    public init(chain: AuditChainID, sequence: Int, at: NumericDate, event: AuditEvent) {
        self.chain = chain
        self.sequence = sequence
        self.at = at
        self.event = event
    }

    /// Reads what ``bytes`` wrote; nil for anything else, down to the order of members.
    public init?(bytes: [UInt8]) {
        do {
            self = try StrictJSON.decode(Self.self, from: bytes)
        } catch {
            return nil
        }
        guard self.bytes == bytes else { return nil }
    }

    /// The entry as it is hashed and kept: one JSON object with its members in the order of their names.
    public var bytes: [UInt8] { Array(StrictJSON.encode(self)) }
}

extension AuditEntry: Codable {
    private enum CodingKeys: CodingKey { case chain, sequence, at }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        chain = try container.decode(AuditChainID.self, forKey: .chain)
        sequence = try container.decode(Int.self, forKey: .sequence)
        at = try container.decode(NumericDate.self, forKey: .at)
        event = try AuditEvent(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(chain, forKey: .chain)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(at, forKey: .at)
    }
}
