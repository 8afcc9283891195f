import NightlatchWire

/// An entry as its chain covers it: one JSON object with its members sorted by name.
///
/// An entry about a user contains `personal_hash` instead of the members of its personal part. Entries that were
/// written before personal parts existed contain these members.
struct AuditBody {
    private let entry: AuditEntry
    /// The hash of the entry's personal part; nil if it has none.
    private let personalHash: AuditPersonalHash?

    /// Creates the body of a new entry, and its personal part if the entry is about a user.
    static func new(_ entry: AuditEntry) -> (body: AuditBody, personal: AuditPersonalPart?) {
        let personal = AuditPersonalPart(of: entry.event)
        return (AuditBody(entry: entry, personalHash: personal?.hash), personal)
    }

    private init(entry: AuditEntry, personalHash: AuditPersonalHash?) {
        self.entry = entry
        self.personalHash = personalHash
    }

    /// Parses the form that ``bytes`` returns. Returns nil for anything else, including the same members in another
    /// order.
    init?(bytes: [UInt8]) {
        do {
            self = try StrictJSON.decode(Self.self, from: bytes)
        } catch {
            return nil
        }
        guard self.bytes == bytes else { return nil }
    }

    var bytes: [UInt8] { StrictJSON.bytes(of: self) }

    var chain: AuditChainID { entry.chain }
    var sequence: Int { entry.sequence }

    /// Whether the entry's personal part was erased from its row.
    func isErased(in row: AuditRow) -> Bool { personalHash != nil && row.personal == nil }

    /// Returns the whole entry, with the parts that `row` has beside the body. An erased entry has no user, but the
    /// pseudonym under which the row is filed.
    ///
    /// Returns nil if the personal part does not have the hash of the body.
    func entry(in row: AuditRow) -> AuditEntry? {
        guard let personalHash else { return row.personal == nil ? entry : nil }
        var event = entry.event
        if let bytes = row.personal {
            guard let personal = AuditPersonalPart(bytes: bytes), personal.hash == personalHash else { return nil }
            personal.complete(&event)
        } else {
            event.pseudonym = row.user.flatMap(UserID.stored)
        }
        return AuditEntry(chain: entry.chain, sequence: entry.sequence, at: entry.at, event: event)
    }
}

extension AuditBody: Codable {
    init(from decoder: any Decoder) throws {
        entry = try AuditEntry(from: decoder)
        personalHash = try JSONObjectReader(decoder).optionalValue("personal_hash")
    }

    func encode(to encoder: any Encoder) throws {
        try entry.event.encode(to: encoder, in: entry, personalHash: personalHash)
    }
}
