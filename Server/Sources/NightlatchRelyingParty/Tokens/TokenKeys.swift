package import NightlatchTokenVerification
package import NightlatchWire
import Synchronization

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
    /// What was read last. Whoever finds it fresh takes it as it is and waits for nobody; the actor sees to reading alone.
    private let opened: Mutex<OpenedKeys>
    /// The reading that is under way. All who need it wait for it.
    private var reading: Task<Result<[SealedSigningKey], StoreError>, Never>?
    /// The last reading that failed, and when. It is told to whoever asks within the same second.
    private var failure: (error: StoreError, at: NumericDate)?

    private struct OpenedKeys {
        let issuer: TokenIssuer
        let verifier: AccessTokenVerifier
        let readAt: NumericDate

        func isStale(_ now: NumericDate) -> Bool {
            // A clock that was put back must not make old keys new.
            !(readAt...(readAt + SigningKeySchedule.readInterval)).contains(now)
        }
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
        opened = Mutex(
            try Self.open(
                sealed, under: masterKey, relyingParty: relyingParty, clients: clients, schedule: schedule, now: now))
    }

    private nonisolated var keys: OpenedKeys { opened.withLock { $0 } }

    /// What issues tokens now.
    ///
    /// - Throws: ``StoreError`` if the keys had to be read and were not: a process that has not seen a new key in time must not sign
    ///   on with the old one.
    package nonisolated func issuer(now: NumericDate) async throws(StoreError) -> TokenIssuer {
        let keys = keys
        guard keys.isStale(now) else { return keys.issuer }
        try await replace(keys, now: now)
        return self.keys.issuer
    }

    /// The keys to be published. While the store does not answer, they are those that were read last.
    package nonisolated func publicKeys(now: NumericDate) async -> [PublicJWK] {
        await lately(now: now).issuer.publicKeys
    }

    /// The keys, read again if that is due and the store answers: what verified a moment ago verifies still.
    private nonisolated func lately(now: NumericDate) async -> OpenedKeys {
        let keys = keys
        guard keys.isStale(now) else { return keys }
        do {
            try await replace(keys, now: now)
        } catch {
            return keys
        }
        return self.keys
    }

    /// Verifies a token of this relying party, by keys that were read lately or, while the store does not answer, by those that were
    /// read last.
    ///
    /// - Throws: ``Refusal`` `accessTokenRefused`; `store` if the token may be by a key that could not be read.
    package nonisolated func verify(
        _ token: AccessToken,
        now: NumericDate
    ) async throws(Refusal) -> VerifiedAccessToken {
        let keys = await lately(now: now)
        do {
            return try keys.verifier.verify(token, now: now)
        } catch {
            guard error == .unknownKey, now > keys.readAt else { throw .accessTokenRefused(error) }
        }
        do {
            try await replace(keys, now: now)
        } catch {
            throw .store(error)
        }
        do {
            return try self.keys.verifier.verify(token, now: now)
        } catch {
            throw .accessTokenRefused(error)
        }
    }

    /// Adds a key if the newest is old enough, and has the store forget those that have no token left.
    package func maintain(now: NumericDate) async throws(SigningKeyRotationError) {
        let newest: SealedSigningKey?
        do {
            try await store.removeSigningKeys(supersededBefore: schedule.retirement(at: now))
            newest = try await store.signingKeysStartingInTime(now: now).last
        } catch {
            throw .store(error)
        }
        if let newest, schedule.isDue(after: newest, at: now) {
            _ = try await store.rotateSigningKey(under: masterKey, now: now)
        }
    }

    /// Reads the keys again, unless somebody has done so since `old` was read.
    private func replace(_ old: OpenedKeys, now: NumericDate) async throws(StoreError) {
        guard keys.readAt == old.readAt else { return }
        if let failure, failure.at == now { throw failure.error }
        let sealed: [SealedSigningKey]
        do throws(StoreError) {
            sealed = try await read()
        } catch {
            failure = (error, now)
            throw error
        }
        guard keys.readAt == old.readAt else { return }
        do {
            let keys = try Self.open(
                sealed, under: masterKey, relyingParty: relyingParty, clients: clients, schedule: schedule, now: now)
            opened.withLock { $0 = keys }
        } catch {
            // Somebody has exchanged them under a running process.
            throw StoreError(.corrupt)
        }
    }

    private func read() async throws(StoreError) -> [SealedSigningKey] {
        if let reading { return try await reading.value.get() }
        // Not a part of the request that is the first to ask: if that goes away, others still wait.
        let task = Task { [store] in
            do throws(StoreError) {
                return Result<_, StoreError>.success(try await store.signingKeys())
            } catch {
                return .failure(error)
            }
        }
        reading = task
        defer { reading = nil }
        return try await task.value.get()
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
