import NightlatchWire

/// All keys that serve users of servers, written as a whole with every change.
struct UserKeyRegistryRecord: RegistryRecord, Hashable {
    typealias ReadingError = UserKeyRegistryError

    static let newestFormat = 1
    static let greatestKeyCount = 32

    /// The greatest number of keys, with texts as long as they may be and every byte of them escaped, takes less.
    static let limits = JSONLimits(byteCount: 2 * 1024 * 1024, depth: 8)

    let format: Int
    var revision: UInt64
    /// What servers know this device by, in hexadecimal digits.
    let deviceID: String
    /// In the order in which they were made.
    var keys: [UserKeyEntry]

    private enum CodingKeys: String, CodingKey {
        case format, revision, keys
        case deviceID = "device_id"
    }

    /// A registry that was never written.
    init() {
        format = Self.newestFormat
        revision = 0
        deviceID = KeyID.random().bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        keys = []
    }

    /// Reads a record as it was written, and nothing else: what would be written differently is corrupt.
    init(_ stored: StoredRecord) throws(UserKeyRegistryError) {
        self = try stored.decoded()
        guard keys.count <= Self.greatestKeyCount, Set(keys.map(\.tag)).count == keys.count,
            Set(keys.map(\.keyID)).count == keys.count, keys.allSatisfy(\.isPossible), deviceID.utf8.count == 64
        else { throw .corrupt }
    }

    /// The entry of a key. Setting nil removes it; one that is not there cannot be set.
    subscript(tag: KeyTag) -> UserKeyEntry? {
        get { keys.first { $0.tag == tag } }
        set {
            guard let index = keys.firstIndex(where: { $0.tag == tag }) else { return }
            if let newValue { keys[index] = newValue } else { keys.remove(at: index) }
        }
    }

    /// Adds the entry of a key that is about to be made, if there is room for it.
    ///
    /// - Returns: The device's name for itself.
    mutating func add(_ entry: UserKeyEntry) -> String? {
        guard keys.count < Self.greatestKeyCount else { return nil }
        keys.append(entry)
        return deviceID
    }

    /// Which of a user's keys signs, if there is any.
    func preferredKey(of owner: UserKeyOwner) -> UserKeyEntry? {
        var best: UserKeyEntry?
        for key in keys where key.owner == owner {
            guard let rank = key.stage.rank else { continue }
            // Of two of the same rank the newer.
            if rank >= best?.stage.rank ?? 0 { best = key }
        }
        return best
    }

    /// The preferred key of each user at a server, in the order in which the users came.
    func preferredKeys(at server: String) -> [UserKeyEntry] {
        var owners: [UserKeyOwner] = []
        for key in keys where key.owner.server == server && !owners.contains(key.owner) { owners.append(key.owner) }
        return owners.compactMap(preferredKey)
    }

    /// Begins to remove every key for which `isUnwanted` holds.
    mutating func leave(where isUnwanted: (UserKeyEntry) -> Bool) {
        for index in keys.indices where isUnwanted(keys[index]) { keys[index].stage = .leaving }
    }
}
