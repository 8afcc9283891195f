public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func createAPIKey(
        _ key: NewAPIKey, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKeyCreation {
        let active = storedAPIKeys.values.map(\.key).filter { $0.revokedAt == nil }
        let outcome = APIKeyCreation(
            key, isNameTaken: active.contains { $0.name == key.name }, count: active.count, at: clock.now())
        if case .created(let created) = outcome {
            storedAPIKeys[created.id] = StoredAPIKey(key: created, hash: key.hash)
            append(AuditEvent(created: created, by: actor))
        }
        return outcome
    }

    public func apiKey(_ id: APIKeyID) async throws(RelyingPartyStoreError) -> StoredAPIKey? { storedAPIKeys[id] }

    public func apiKeys() async throws(RelyingPartyStoreError) -> [APIKey] {
        let keys = storedAPIKeys.values.map(\.key).sorted { $0.id.rawValue < $1.id.rawValue }
        // Sorting is stable, so keys of the same second stay in the order of their ids.
        let active = keys.filter { $0.revokedAt == nil }.sorted { $0.createdAt < $1.createdAt }
        let revoked = keys.compactMap { key in key.revokedAt.map { (key: key, at: $0) } }.sorted { $0.at > $1.at }
        return active + revoked.prefix(APIKey.revokedCount).map(\.key)
    }

    public func revokeAPIKey(
        _ id: APIKeyID, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> APIKey? {
        guard let key = storedAPIKeys[id]?.key, key.revokedAt == nil else { return storedAPIKeys[id]?.key }
        storedAPIKeys[id]?.key.revokedAt = clock.now()
        if let revoked = storedAPIKeys[id]?.key { append(AuditEvent(revoked: revoked, by: actor)) }
        return storedAPIKeys[id]?.key
    }
}
