public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func users(
        startingWith prefix: UserID?,
        after last: UserID?,
        limit: Int
    ) async throws(RelyingPartyStoreError) -> [UserRecord] {
        let (from, below) = UserRecord.ids(startingWith: prefix)
        let ids = users.keys.filter { id in
            !id.rawValue.precedesByBytes(from) && id.rawValue.precedesByBytes(below)
                && last.map { $0.rawValue.precedesByBytes(id.rawValue) } ?? true
        }
        return ids.sorted { $0.rawValue.precedesByBytes($1.rawValue) }.prefix(limit).compactMap(registered)
    }

    public func user(_ id: UserID) async throws(RelyingPartyStoreError) -> UserRecord? { registered(id) }

    func registered(_ id: UserID) -> UserRecord? {
        users[id].map { createdAt in
            let stops = devices.values.filter { $0.user == id }.map(\.stop)
            let counts = UserRecord.DeviceCounts(
                active: stops.count { $0 == nil }, blocked: stops.count { $0 == .blocked },
                revoked: stops.count { $0 == .revoked || $0 == .replaced })
            return UserRecord(
                id: id, createdAt: createdAt, hasPassword: passwords[id] != nil, devices: counts)
        }
    }
}

extension String {
    /// Returns whether this text is before `other` in the order of bytes, which databases use. Swift's order treats
    /// canonically equivalent texts as equal.
    fileprivate func precedesByBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
