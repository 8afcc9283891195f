public import NightlatchWire

/// The API keys. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol APIKeyStore: Sendable {
    /// Records a new key.
    ///
    /// After a thrown error the key may exist. Its secret is then lost: list the keys, and revoke it.
    func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation

    /// The key `id` in any state, or nil if there is none. Writes nothing.
    func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey?

    /// All keys that are not revoked, oldest first; then the ``APIKey/revokedCount`` keys that were revoked last, the
    /// newest revocation first. Keys of the same second are in the order of their ids.
    func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey]

    /// Revokes a key. A request that reads the key after this call has returned is refused. Idempotent.
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
}

extension APIKeyCreation {
    /// Decides about a new key.
    ///
    /// - Parameters:
    ///   - key: The new key.
    ///   - isNameTaken: Whether a key that is not revoked has its name.
    ///   - count: The number of keys that are not revoked.
    ///   - now: The time of the transaction.
    package init(_ key: NewAPIKey, isNameTaken: Bool, count: Int, at now: NumericDate) {
        if let expiresAt = key.expiresAt, expiresAt < now {
            self = .expired
        } else if isNameTaken {
            self = .nameTaken
        } else if count >= APIKey.countLimit {
            self = .tooMany
        } else {
            self = .created(
                APIKey(
                    id: key.id, name: key.name, scopes: key.scopes, createdAt: now, expiresAt: key.expiresAt))
        }
    }
}
