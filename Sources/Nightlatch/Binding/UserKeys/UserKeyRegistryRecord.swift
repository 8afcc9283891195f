import NightlatchWire

/// All keys of users at servers. Every change writes the whole record.
struct UserKeyRegistryRecord: RegistryRecord, Hashable {
    static let newestFormat = 1
    static let greatestKeyCount = 32

    /// Larger than a record with the greatest number of keys, the longest texts, and every byte escaped.
    static let limits = JSONLimits(byteCount: 2 * 1024 * 1024, depth: 8)

    static func error(_ fault: RecordFault) -> RegistryError { RegistryError(.userKeys, fault: fault) }

    let format: Int
    var revision: UInt64
    /// The identifier of this device for servers, in hexadecimal digits.
    let deviceID: String
    /// The keys, in the order in which they were created.
    var keys: [UserKeyEntry]

    private enum CodingKeys: String, CodingKey {
        case format, revision, keys
        case deviceID = "device_id"
    }

    /// Creates the record of a registry that was never written.
    init() {
        format = Self.newestFormat
        revision = 0
        deviceID = KeyID.random().bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        keys = []
    }

    /// Reads a stored record. Any encoding other than the one that this type writes is corrupt.
    init(_ stored: StoredRecord) throws(RegistryError) {
        self = try stored.decoded()
        guard keys.count <= Self.greatestKeyCount, Set(keys.map(\.tag)).count == keys.count,
            Set(keys.map(\.keyID)).count == keys.count, keys.allSatisfy(\.isPossible), deviceID.utf8.count == 64
        else { throw Self.error(.corrupt) }
    }

    /// The entry of a key. Setting nil removes it. An entry that does not exist cannot be set.
    subscript(tag: KeyTag) -> UserKeyEntry? {
        get { keys.first { $0.tag == tag } }
        set {
            guard let index = keys.firstIndex(where: { $0.tag == tag }) else { return }
            if let newValue { keys[index] = newValue } else { keys.remove(at: index) }
        }
    }

    /// Adds the entry of a key that is about to be created, if there is room for it.
    ///
    /// - Returns: The device's own identifier; nil if there is no room.
    mutating func add(_ entry: UserKeyEntry) -> String? {
        guard keys.count < Self.greatestKeyCount else { return nil }
        keys.append(entry)
        return deviceID
    }

    /// Returns the key that signs for a user, if there is one.
    func preferredKey(of owner: UserKeyOwner) -> UserKeyEntry? {
        var best: UserKeyEntry?
        for key in keys where key.owner == owner {
            guard let rank = key.stage.rank else { continue }
            // The newer of two keys with the same rank.
            if rank >= best?.stage.rank ?? 0 { best = key }
        }
        return best
    }

    /// Returns the preferred key of each user at a server, in the order in which the users were added.
    func preferredKeys(at server: String) -> [UserKeyEntry] {
        var owners: [UserKeyOwner] = []
        for key in keys where key.owner.server == server && !owners.contains(key.owner) { owners.append(key.owner) }
        return owners.compactMap(preferredKey)
    }

    /// Begins to remove every key for which `isUnwanted` returns true.
    mutating func leave(where isUnwanted: (UserKeyEntry) -> Bool) {
        for index in keys.indices where isUnwanted(keys[index]) { keys[index].stage = .leaving }
    }
}
