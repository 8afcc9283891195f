public import NightlatchWire

/// The id of a running process of a relying party: 16 random bytes, new at each start.
public typealias RunningProcessID = Identifier<RunningProcessIDRule>

public enum RunningProcessIDRule: BinaryIdentifierRule {
    public static let name = "process id"
    public static let byteCount = 16
}

/// A running process of a relying party, as it reports itself to the store.
public struct RunningProcess: Hashable, Sendable {
    /// The time after the last report from which a process counts as ended. A running one reports at least every fifteen.
    package static let life: Duration = .seconds(30)

    public let id: RunningProcessID
    /// A name for operators: host and process number.
    public let name: String
    /// The ids of the master keys that the process knows.
    public let keys: Set<MasterKeyID>
    /// The id of the master key under which the process seals new values.
    public let sealing: MasterKeyID
    /// The time of the last report, by the store's clock. Ignored in a report.
    public let seenAt: NumericDate

    public init(
        id: RunningProcessID, name: String, keys: Set<MasterKeyID>, sealing: MasterKeyID,
        seenAt: NumericDate = NumericDate(secondsSince1970: 0)
    ) {
        self.id = id
        self.name = name
        self.keys = keys
        self.sealing = sealing
        self.seenAt = seenAt
    }

    /// Whether the process has reported itself lately.
    ///
    /// A report that was written while the clock was ahead counts as old once it is further ahead than ``life``.
    package func isAlive(at now: NumericDate) -> Bool {
        seenAt <= now + Self.life && now <= seenAt + Self.life
    }

    /// The ids of ``keys`` in one text, for a column of a store.
    package var keyText: String { keys.map(\.rawValue).sorted().joined(separator: " ") }

    /// Creates the process from the columns of a store.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` for a text that ``keyText`` does not produce.
    package init(
        id: RunningProcessID, name: String, keyText: String, sealing: MasterKeyID, seenAt: NumericDate
    ) throws(RelyingPartyStoreError) {
        let ids = keyText.split(separator: " ").map { MasterKeyID(rawValue: String($0)) }
        guard ids.allSatisfy({ $0 != nil }) else { throw RelyingPartyStoreError(.corrupt) }
        self.init(id: id, name: name, keys: Set(ids.compactMap(\.self)), sealing: sealing, seenAt: seenAt)
    }

    /// The report with the time at which the store got it.
    package func seen(at now: NumericDate) -> Self {
        Self(id: id, name: name, keys: keys, sealing: sealing, seenAt: now)
    }
}
