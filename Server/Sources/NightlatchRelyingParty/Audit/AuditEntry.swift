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

    /// Reads the entry of a row, with its user and claims.
    ///
    /// An entry that was erased with its user has no user, but the pseudonym under which the row is filed. Returns nil
    /// if the row contains no entry, or a personal part that does not belong to it. Does not check the row's hash and
    /// place; ``AuditVerifier`` does.
    public init?(_ row: AuditRow) {
        guard let entry = AuditBody(bytes: row.body)?.entry(in: row) else { return nil }
        self = entry
    }

    /// The whole entry as one JSON object with its members sorted by name.
    ///
    /// Entries without a user are hashed and stored in this form.
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

    public func encode(to encoder: any Encoder) throws { try event.encode(to: encoder, in: self, personalHash: nil) }
}
