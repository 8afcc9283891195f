import NightlatchWire

/// All profiles of a device. Every change writes the whole record.
struct ProfileRegistryRecord: RegistryRecord, Hashable {
    /// The second format has policies and numbers of different digits. A record is written in the second format only
    /// if an entry has them, so that an older version of the app can read it otherwise.
    static let newestFormat = 2
    static let oldestFormat = 1
    static let greatestProfileCount = 32

    /// Larger than a record with the greatest number of profiles, the longest names and the greatest number of keys.
    static let limits = JSONLimits(byteCount: 64 * 1024, depth: 8)

    static func error(_ fault: RecordFault) -> RegistryError { RegistryError(.profiles, fault: fault) }

    private(set) var format: Int
    var revision: UInt64
    /// The profiles, in the order in which they were registered.
    private(set) var profiles: [ProfileEntry]

    /// Creates the record of a registry that was never written.
    init() {
        format = Self.oldestFormat
        revision = 0
        profiles = []
    }

    /// Reads a stored record. Any encoding other than the one that this type writes is corrupt.
    init(_ stored: StoredRecord) throws(RegistryError) {
        self = try stored.decoded()
        guard profiles.count <= Self.greatestProfileCount, Set(profiles.map(\.id)).count == profiles.count,
            profiles.allSatisfy(\.isPossible), format == Self.format(of: profiles)
        else { throw Self.error(.corrupt) }
    }

    var hasRoom: Bool { profiles.count < Self.greatestProfileCount }

    /// The entry of a profile. Setting nil removes it. Setting an entry that does not exist adds it at the end.
    subscript(id: ProfileID) -> ProfileEntry? {
        get { profiles.first { $0.id == id } }
        set {
            defer { format = Self.format(of: profiles) }
            guard let index = profiles.firstIndex(where: { $0.id == id }) else {
                if let newValue { profiles.append(newValue) }
                return
            }
            if let newValue { profiles[index] = newValue } else { profiles.remove(at: index) }
        }
    }

    private static func format(of profiles: [ProfileEntry]) -> Int {
        profiles.contains(where: \.isOfSecondFormat) ? newestFormat : oldestFormat
    }

    mutating func forgetPinLengths() {
        for index in profiles.indices {
            profiles[index].pinLength = nil
            profiles[index].isPinChanging = false
        }
    }
}
