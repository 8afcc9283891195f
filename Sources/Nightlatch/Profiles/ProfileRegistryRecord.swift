import NightlatchWire

/// All that is kept of the profiles of a device, written as a whole with every change.
struct ProfileRegistryRecord: RegistryRecord, Hashable {
    typealias ReadingError = ProfileRegistryError

    static let newestFormat = 1
    static let greatestProfileCount = 32

    /// The entries of the greatest number of profiles, with names and keys as long and as many as there may be, take less.
    static let limits = JSONLimits(byteCount: 64 * 1024, depth: 8)

    let format: Int
    var revision: UInt64
    /// In the order in which they were registered.
    private(set) var profiles: [ProfileEntry]

    /// A registry that was never written.
    init() {
        format = Self.newestFormat
        revision = 0
        profiles = []
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(ProfileRegistryError) {
        self = try stored.decoded()
        guard profiles.count <= Self.greatestProfileCount, Set(profiles.map(\.id)).count == profiles.count,
            profiles.allSatisfy(\.isPossible)
        else { throw .corrupt }
    }

    var hasRoom: Bool { profiles.count < Self.greatestProfileCount }

    /// The entry of a profile. Setting nil removes it; setting one that is not there adds it at the end.
    subscript(id: ProfileID) -> ProfileEntry? {
        get { profiles.first { $0.id == id } }
        set {
            guard let index = profiles.firstIndex(where: { $0.id == id }) else {
                if let newValue { profiles.append(newValue) }
                return
            }
            if let newValue { profiles[index] = newValue } else { profiles.remove(at: index) }
        }
    }

    mutating func forgetPinLengths() {
        for index in profiles.indices {
            profiles[index].pinLength = nil
            profiles[index].isPinChanging = false
        }
    }
}
