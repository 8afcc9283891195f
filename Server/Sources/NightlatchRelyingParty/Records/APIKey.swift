public import NightlatchWire

/// A key with which a backend or an operator's program calls the server, without its secret.
public struct APIKey: Hashable, Sendable {
    public let id: APIKeyID
    /// The name. No two keys that are not revoked have the same name.
    public let name: APIKeyName
    /// What the key may do. It never changes; create another key instead.
    public let scopes: Set<APIScope>
    public let createdAt: NumericDate
    /// The last second, by the store's clock, at which the key is accepted; nil for a key without an end.
    public let expiresAt: NumericDate?
    /// The key that created this one; nil if an operator did with the command.
    public let createdBy: APIKeyID?
    /// The time at which the key was revoked; nil if it was not.
    public var revokedAt: NumericDate?

    /// The largest number of keys that are not revoked. Expired ones count too.
    public static let countLimit = 100
    /// The number of revoked keys in a list: the ones that were revoked last.
    public static let revokedCount = 100

    public init(
        id: APIKeyID, name: APIKeyName, scopes: Set<APIScope>, createdAt: NumericDate, expiresAt: NumericDate? = nil,
        createdBy: APIKeyID? = nil, revokedAt: NumericDate? = nil
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.createdBy = createdBy
        self.revokedAt = revokedAt
    }

    /// The state of a key.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        case active, expired, revoked
    }

    /// The state at a time.
    public func state(at time: NumericDate) -> State {
        if revokedAt != nil { return .revoked }
        if let expiresAt, expiresAt < time { return .expired }
        return .active
    }
}

/// A key that is about to be created.
public struct NewAPIKey: Hashable, Sendable {
    public let id: APIKeyID
    public let name: APIKeyName
    public let scopes: Set<APIScope>
    public let expiresAt: NumericDate?
    /// The hash of the secret. The store keeps nothing else of it.
    public let hash: APISecretHash

    public init(
        id: APIKeyID, name: APIKeyName, scopes: Set<APIScope>, expiresAt: NumericDate?, hash: APISecretHash
    ) {
        self.id = id
        self.name = name
        self.scopes = scopes
        self.expiresAt = expiresAt
        self.hash = hash
    }
}

/// A key as stored.
public struct StoredAPIKey: Hashable, Sendable {
    public var key: APIKey
    public let hash: APISecretHash
    /// The store's time when the key was read. All processes of a store judge a key's end by it.
    public let readAt: NumericDate

    public init(key: APIKey, hash: APISecretHash, readAt: NumericDate) {
        self.key = key
        self.hash = hash
        self.readAt = readAt
    }
}

extension StoredAPIKey {
    /// Whether `token` is the token of this key, and the key was active when it was read.
    package func accepts(_ token: APIToken) -> Bool {
        let isRight = token.isOf(hash)
        return isRight && token.keyID == key.id && key.state(at: readAt) == .active
    }

    /// Reads the column with the hash.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` for a hash of another length.
    package init(key: APIKey, hash: [UInt8], readAt: NumericDate) throws(RelyingPartyStoreError) {
        guard hash.count == 32 else { throw RelyingPartyStoreError(.corrupt) }
        self.init(key: key, hash: APISecretHash(hash), readAt: readAt)
    }
}
