public import Nightlatch
internal import NightlatchWire

/// The keys of this device for the users of one server and realm. The server is not asked: ``BoundDevices`` does that.
public struct UserKeyList: Sendable {
    private let keys: UserKeys
    private let server: String

    init(keys: UserKeys, server: String) {
        self.keys = keys
        self.server = server
    }

    /// The key that signs for each user. An error is never an empty list.
    public func getAllKeys() async throws(UserKeyError) -> [UserKey] {
        try await keys.keys(at: server).map(UserKey.init)
    }

    /// Calls a key otherwise on this device.
    public func rename(_ key: UserKey, to name: String) async throws(UserKeyError) {
        try await keys.rename(key.kid, at: server, to: name)
    }

    /// Removes a key with all that protects it, and what another key of its user was to replace. Can be repeated after a failure.
    public func deleteKey(_ key: UserKey) async throws(UserKeyError) {
        let owner = UserKeyOwner(server: server, user: key.userId)
        try await keys.remove { $0.owner == owner }
    }

    /// Removes all keys of this server with all that protects them. Can be repeated after a failure.
    public func deleteAllKeys() async throws(UserKeyError) {
        try await keys.remove { $0.owner.server == server }
    }

    /// Removes the key that the server calls `kid`, if there is one.
    func removeKey(named kid: String) async throws(UserKeyError) {
        try await keys.remove { $0.owner.server == server && $0.keyID == kid }
    }
}

extension Journey {
    /// The keys of this device for this journey's server; nil if the journey has no server or no device binding.
    public var userKeys: UserKeyList? {
        guard let server, let deviceBinding else { return nil }
        return UserKeyList(keys: deviceBinding.keys, server: server.name)
    }
}
