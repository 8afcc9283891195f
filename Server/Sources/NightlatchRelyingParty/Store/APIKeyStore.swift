public import NightlatchWire

/// The API keys. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol APIKeyStore: Sendable {
    /// Records a new key.
    ///
    /// If the actor has an API key, the transaction checks that this key is active, and that the new one has no more
    /// scopes and no later end. So a revocation that has returned is seen: the revoked key creates nothing afterwards.
    ///
    /// After a thrown error the key may exist. Its secret is then lost: list the keys, and revoke it.
    func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation

    /// The key `id` in any state, with the store's time, or nil if there is none. Writes nothing.
    func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey?

    /// All keys that are not revoked, oldest first; then the ``APIKey/revokedCount`` keys that were revoked last, the
    /// newest revocation first. Keys of the same second are in the order of their ids. A damaged hash does not matter here.
    func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey]

    /// Revokes a key, even if its hash is damaged. A request that reads the key after this call has returned is refused.
    /// The keys that it has created stay valid. Idempotent.
    ///
    /// - Returns: The key after the call, or nil if there is none.
    func revokeAPIKey(_ id: APIKeyID, by actor: ActingParty) async throws(RelyingPartyStoreError) -> APIKey?
}

/// The outcome of a call of ``APIKeyStore/createAPIKey(_:by:)``. Only ``created(_:)`` means that something was written.
public enum APIKeyCreation: Hashable, Sendable {
    case created(APIKey)
    /// A key that is not revoked has this name.
    case nameTaken
    /// There are ``APIKey/countLimit`` keys that are not revoked.
    case tooMany
    /// The key would have expired already, by the store's clock.
    case expired
    /// The key of the actor is unknown, revoked or expired.
    case creatorEnded
    /// The actor has a key without one of the scopes, without ``APIScope/keysWrite``, or with an earlier end.
    case beyondCreator
}

extension APIKeyCreation {
    /// Decides about a new key.
    ///
    /// - Parameters:
    ///   - key: The new key.
    ///   - actor: The party that creates it.
    ///   - creator: The key of `actor` as it is stored now; nil if there is none.
    ///   - isNameTaken: Whether a key that is not revoked has its name.
    ///   - count: The number of keys that are not revoked.
    ///   - now: The time of the transaction.
    package init(
        _ key: NewAPIKey, by actor: ActingParty, creator: APIKey?, isNameTaken: Bool, count: Int, at now: NumericDate
    ) {
        if let id = actor.key {
            guard let creator, creator.id == id, creator.state(at: now) == .active else {
                self = .creatorEnded
                return
            }
            guard creator.mayCreate(key) else {
                self = .beyondCreator
                return
            }
        }
        if let expiresAt = key.expiresAt, expiresAt < now {
            self = .expired
        } else if isNameTaken {
            self = .nameTaken
        } else if count >= APIKey.countLimit {
            self = .tooMany
        } else {
            self = .created(
                APIKey(
                    id: key.id, name: key.name, scopes: key.scopes, createdAt: now, expiresAt: key.expiresAt,
                    createdBy: actor.key))
        }
    }
}

extension APIKey {
    /// Whether `key` may do no more than this key, and no longer.
    fileprivate func mayCreate(_ key: NewAPIKey) -> Bool {
        guard scopes.contains(.keysWrite), key.scopes.isSubset(of: scopes) else { return false }
        guard let expiresAt else { return true }
        guard let end = key.expiresAt else { return false }
        return end <= expiresAt
    }
}
