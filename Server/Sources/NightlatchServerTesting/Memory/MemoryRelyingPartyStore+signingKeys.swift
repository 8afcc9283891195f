public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey] { sealedSigningKeys }

    public func addSigningKey(
        _ key: SealedSigningKey,
        after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        if sealedSigningKeys.last?.id == newest {
            try masterKey.require(key.masterKey)
            sealedSigningKeys.append(key)
            append(AuditEvent(.signingKeyAdded, by: actor))
        }
        return sealedSigningKeys
    }

    public func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError) {
        guard let successor = sealedSigningKeys.last(where: { $0.activeFrom <= time }) else { return }
        sealedSigningKeys.removeAll { $0.activeFrom < successor.activeFrom }
    }

    public func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError) {
        let limited = SealedSigningKey.limited(sealedSigningKeys, startBy: time)
        sealedSigningKeys = sealedSigningKeys.dropLast(limited.count) + limited
    }

    public func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int {
        let count = sealedSigningKeys.count
        sealedSigningKeys = []
        if count > 0 { append(AuditEvent(.signingKeysForgotten, by: .operator, count: count)) }
        return count
    }
}
