package import NightlatchTokenVerification
package import NightlatchWire

/// The keys of this relying party that sign access tokens, as the store has them.
///
/// They are read again when what was read is older than ``SigningKeySchedule/readInterval``, and when a token names a key that is
/// not among them, once a second at most. So a process learns of a key that another has added in time to use it.
package actor TokenKeys {
    private let relyingParty: Issuer
    private let clients: Set<ClientID>
    private let schedule: SigningKeySchedule
    private let store: any SigningKeyStore
    private let masterKey: MasterKey
    private var keys: OpenedKeys

    private struct OpenedKeys {
        let issuer: TokenIssuer
        let verifier: AccessTokenVerifier
        let readAt: NumericDate
    }

    /// The keys of `store`. The first process to start makes one; all others get it.
    ///
    /// - Throws: ``RelyingPartyStartError``; a key that was made may be there already, and serves the next start.
    package init(
        relyingParty: Issuer,
        clients: Set<ClientID>,
        schedule: SigningKeySchedule,
        store: any SigningKeyStore,
        masterKey: MasterKey,
        now: NumericDate
    ) async throws(RelyingPartyStartError) {
        let candidate: SealedSigningKey
        do {
            candidate = try TokenSigningKey.random().sealed(under: masterKey, createdAt: now, activeFrom: now)
        } catch {
            throw .noSigningKey
        }
        let sealed: [SealedSigningKey]
        do {
            sealed = try await store.addSigningKey(candidate, after: nil)
        } catch {
            throw .store(error)
        }
        self.relyingParty = relyingParty
        self.clients = clients
        self.schedule = schedule
        self.store = store
        self.masterKey = masterKey
        keys = try Self.open(
            sealed, under: masterKey, relyingParty: relyingParty, clients: clients, schedule: schedule, now: now)
    }

    /// What issues tokens now.
    ///
    /// - Throws: ``StoreError`` if the keys had to be read and were not: a process that has not seen a new key in time must not sign
    ///   on with the old one.
    package func issuer(now: NumericDate) async throws(StoreError) -> TokenIssuer {
        if isStale(now) { try await read(now: now) }
        return keys.issuer
    }

    /// The keys to be published. While the store does not answer, they are those that were read last.
    package func publicKeys(now: NumericDate) async -> [PublicJWK] {
        if isStale(now) {
            do {
                try await read(now: now)
            } catch {
                // What verified a moment ago verifies still.
            }
        }
        return keys.issuer.publicKeys
    }

    /// Verifies a token of this relying party, by keys that were read lately or, while the store does not answer, by those that were
    /// read last.
    ///
    /// - Throws: ``Refusal`` `accessTokenRefused`; `store` if the token may be by a key that could not be read.
    package func verify(_ token: AccessToken, now: NumericDate) async throws(Refusal) -> VerifiedAccessToken {
        _ = await publicKeys(now: now)
        do {
            return try keys.verifier.verify(token, now: now)
        } catch {
            guard error == .unknownKey, now > keys.readAt else { throw .accessTokenRefused(error) }
        }
        do {
            try await read(now: now)
        } catch {
            throw .store(error)
        }
        do {
            return try keys.verifier.verify(token, now: now)
        } catch {
            throw .accessTokenRefused(error)
        }
    }

    /// Adds a key if the newest is old enough, and has the store forget those that have no token left.
    package func maintain(now: NumericDate) async throws(SigningKeyRotationError) {
        let newest: SealedSigningKey?
        do {
            try await store.removeSigningKeys(supersededBefore: schedule.retirement(at: now))
            newest = try await store.signingKeys().last
        } catch {
            throw .store(error)
        }
        if let newest, schedule.isDue(after: newest, at: now) {
            _ = try await store.rotateSigningKey(under: masterKey, now: now)
        }
    }

    private func isStale(_ now: NumericDate) -> Bool {
        // A clock that was put back must not make old keys new.
        !(keys.readAt...(keys.readAt + SigningKeySchedule.readInterval)).contains(now)
    }

    private func read(now: NumericDate) async throws(StoreError) {
        let sealed = try await store.signingKeys()
        do {
            keys = try Self.open(
                sealed, under: masterKey, relyingParty: relyingParty, clients: clients, schedule: schedule, now: now)
        } catch {
            // Somebody has exchanged them under a running process.
            throw StoreError(.corrupt)
        }
    }

    private static func open(
        _ sealed: [SealedSigningKey],
        under masterKey: MasterKey,
        relyingParty: Issuer,
        clients: Set<ClientID>,
        schedule: SigningKeySchedule,
        now: NumericDate
    ) throws(RelyingPartyStartError) -> OpenedKeys {
        var keys: [TokenSigningKey] = []
        for key in sealed {
            do {
                keys.append(try TokenSigningKey(key, under: masterKey))
            } catch {
                throw .masterKeyDoesNotFit
            }
        }
        guard let issuer = TokenIssuer(relyingParty: relyingParty, life: schedule.accessTokenLife, keys: keys) else {
            throw .store(StoreError(.corrupt))
        }
        return OpenedKeys(
            issuer: issuer,
            verifier: AccessTokenVerifier(relyingParty: relyingParty, clients: clients, keys: issuer.publicKeys),
            readAt: now)
    }
}
