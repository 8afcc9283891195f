public import Nightlatch
internal import NightlatchWire

/// The keys of this device for the users of one server and realm. No request is sent; ``BoundDevices`` asks the server.
public struct UserKeyList: Sendable {
    private let keys: UserKeys
    private let server: String

    init(keys: UserKeys, server: String) {
        self.keys = keys
        self.server = server
    }

    /// Returns the key that signs for each user. After an error it throws, and never returns an empty list.
    public func getAllKeys() async throws(UserKeyError) -> [UserKey] {
        try await keys.keys(at: server).map(UserKey.init)
    }

    /// Renames a key on this device.
    public func rename(_ key: UserKey, to name: String) async throws(UserKeyError) {
        try await keys.rename(key.kid, at: server, to: name)
    }

    /// Removes a user's key, its protection, and a key that was about to replace it. It can be repeated after an error.
    public func deleteKey(_ key: UserKey) async throws(UserKeyError) {
        let owner = UserKeyOwner(server: server, user: key.userId)
        try await keys.remove { $0.owner == owner }
    }

    /// Removes all keys of this server with their protection. It can be repeated after an error.
    public func deleteAllKeys() async throws(UserKeyError) {
        try await keys.remove { $0.owner.server == server }
    }

    /// Removes the key that the server calls `kid`, if there is one.
    func removeKey(named kid: String) async throws(UserKeyError) {
        try await keys.remove { $0.owner.server == server && $0.keyID == kid }
    }
}

extension Journey {
    /// The keys of this device for this journey's server. Nil if the journey has no server or no device binding.
    public var userKeys: UserKeyList? {
        guard let server, let deviceBinding else { return nil }
        return UserKeyList(keys: deviceBinding.keys, server: server.name)
    }
}
