package import NightlatchWire

extension Administration {
    /// The keys that are not revoked, and the ones that were revoked last, as ``APIKeyStore/apiKeys()``.
    package func apiKeys() async throws(AdministrationError) -> [APIKey] {
        try await ask { () async throws(RelyingPartyStoreError) in try await store.apiKeys() }
    }

    /// Creates a key with a new secret.
    ///
    /// - Parameters:
    ///   - name: The name, which no other key has that is not revoked.
    ///   - scopes: What the key may do: at most what the operator's own API key may do, if the operator has one.
    ///   - expiresAt: The last second at which the key is accepted; nil for a key without an end. It must not be later
    ///     than the end of the operator's own key.
    /// - Returns: The key, and its token. The store has only the hash of the secret, so this is the only copy.
    /// - Throws: ``AdministrationError``. After `store` the key may exist: revoke it, and create another one.
    package func createAPIKey(
        _ name: APIKeyName, scopes: Set<APIScope>, expiresAt: NumericDate?
    ) async throws(AdministrationError) -> (key: APIKey, token: APIToken) {
        let token = APIToken.random(for: .random())
        let new = NewAPIKey(
            id: token.keyID, name: name, scopes: scopes, expiresAt: expiresAt, hash: token.hash)
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.createAPIKey(new, by: party)
        }
        switch outcome {
        case .created(let key): return (key, token)
        case .nameTaken: throw .apiKeyNameTaken
        case .tooMany: throw .tooManyAPIKeys
        case .expired: throw .apiKeyExpired
        case .creatorEnded: throw .apiKeyCreatorEnded
        case .beyondCreator: throw .apiKeyBeyondCreator
        }
    }

    /// Revokes a key. The next request with its token is refused, at every process that shares the store. Idempotent.
    package func revokeAPIKey(_ id: APIKeyID) async throws(AdministrationError) -> APIKey {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.revokeAPIKey(id, by: party)
        }
        guard let found else { throw .apiKeyUnknown }
        return found
    }
}
