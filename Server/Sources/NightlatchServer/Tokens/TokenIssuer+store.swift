package import NightlatchWire

extension TokenIssuer {
    /// An issuer with the keys of `store`. The first process to start makes a key; all others get it.
    ///
    /// - Throws: ``RelyingPartyStartError``; a key that was made may be there already, and serves the next start.
    package static func start(
        relyingParty: Issuer,
        life: Duration,
        store: some RelyingPartyStore,
        masterKey: MasterKey,
        now: NumericDate
    ) async throws(RelyingPartyStartError) -> TokenIssuer {
        let candidate: SealedSigningKey
        do {
            candidate = try TokenSigningKey.random().sealed(under: masterKey, createdAt: now)
        } catch {
            throw .noSigningKey
        }
        let sealed: [SealedSigningKey]
        do {
            sealed = try await store.addSigningKeyIfNone(candidate)
        } catch {
            throw .store(error)
        }
        var keys: [TokenSigningKey] = []
        for key in sealed {
            do {
                keys.append(try TokenSigningKey(key, under: masterKey))
            } catch {
                throw .masterKeyDoesNotFit
            }
        }
        guard let issuer = TokenIssuer(relyingParty: relyingParty, life: life, keys: keys) else {
            throw .store(StoreError(.corrupt))
        }
        return issuer
    }
}
