package import NightlatchTokenVerification
package import NightlatchWire
import Synchronization

/// The access token signing keys of this relying party, read from the store.
///
/// They are read again when the copy is older than ``SigningKeySchedule/readInterval``. They are also read again when a
/// token names an unknown key, but at most once a second. A process therefore learns of another process's new key
/// before that key signs.
package actor TokenKeys {
    private let relyingParty: Issuer
    private let schedule: SigningKeySchedule
    private let store: any SigningKeyStore
    private let keyring: MasterKeyring
    /// The keys read last.
    ///
    /// A caller that finds them fresh uses them without waiting; the actor only coordinates reading.
    private let opened: Mutex<OpenedKeys>
    /// The read in progress, which all callers that need it await.
    private var reading: Task<Result<[SealedSigningKey], RelyingPartyStoreError>, Never>?
    /// The last failed read, and its time. Callers within the same second get the same error.
    private var failure: (error: RelyingPartyStoreError, at: NumericDate)?

    private struct OpenedKeys {
        let issuer: TokenIssuer
        let verifier: AccessTokenVerifier
        let readAt: NumericDate

        func isStale(_ now: NumericDate) -> Bool {
            // A clock that was set back must not make old keys fresh.
            !(readAt...(readAt + SigningKeySchedule.readInterval)).contains(now)
        }
    }

    /// Loads the keys of `store`. The first process to start makes a key, and all others use it.
    ///
    /// - Throws: ``RelyingPartyStartError``; a new key may have been stored, and the next start uses it.
    package init(
        relyingParty: Issuer,
        schedule: SigningKeySchedule,
        store: any SigningKeyStore,
        keyring: MasterKeyring,
        now: NumericDate
    ) async throws(RelyingPartyStartError) {
        let candidate: SealedSigningKey
        do {
            candidate = try TokenSigningKey.random().sealed(under: keyring.sealing, createdAt: now, activeFrom: now)
        } catch {
            throw .noSigningKey
        }
        let sealed: [SealedSigningKey]
        do {
            sealed = try await store.addSigningKey(candidate, after: nil, by: .server)
        } catch {
            throw .store(error)
        }
        self.relyingParty = relyingParty
        self.schedule = schedule
        self.store = store
        self.keyring = keyring
        opened = Mutex(
            try Self.open(
                sealed, under: keyring, relyingParty: relyingParty, schedule: schedule, now: now))
    }

    private nonisolated var keys: OpenedKeys { opened.withLock { $0 } }

    /// The current issuer of tokens.
    ///
    /// - Throws: ``RelyingPartyStoreError`` if the keys were stale and could not be read: a process that has not seen a
    ///   new key in time must not continue to sign with the old key. `unavailable` also if the master key was replaced
    ///   by one that this process does not know.
    package nonisolated func issuer(now: NumericDate) async throws(RelyingPartyStoreError) -> TokenIssuer {
        if keyring.isReplaced { throw RelyingPartyStoreError(.unavailable) }
        let keys = keys
        guard keys.isStale(now) else { return keys.issuer }
        try await replace(keys, now: now)
        return self.keys.issuer
    }

    /// The keys to publish. If the store does not respond, these are the keys that were read last.
    package nonisolated func publicKeys(now: NumericDate) async -> [PublicJWK] {
        await lately(now: now).issuer.publicKeys
    }

    /// The keys, read again if they are stale. If the store does not respond, these are the stale keys: a key that
    /// verified tokens a moment ago still verifies them.
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

    /// Verifies a token of this relying party, with the current keys or, if the store does not respond, with those read
    /// last.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - clients: The apps whose tokens are accepted.
    ///   - now: The current time.
    /// - Throws: ``Refusal`` `accessTokenRefused`; `store` if the token may be signed by a key that could not be read.
    package nonisolated func verify(
        _ token: AccessToken,
        from clients: Set<ClientID>,
        now: NumericDate
    ) async throws(Refusal) -> VerifiedAccessToken {
        let verified = try await verify(token, now: now)
        guard clients.contains(verified.claims.clientID) else { throw .accessTokenRefused(.unknownClient) }
        return verified
    }

    private nonisolated func verify(
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

    /// Adds a key if the newest is due to be replaced, and deletes stored keys that have no valid token left.
    package func maintain(now: NumericDate) async throws(SigningKeyRotationError) {
        let newest: SealedSigningKey?
        do {
            try await store.removeSigningKeys(supersededBefore: schedule.retirement(at: now))
            newest = try await store.signingKeysStartingInTime(now: now).last
        } catch {
            throw .store(error)
        }
        if let newest, schedule.isDue(after: newest, at: now) {
            _ = try await store.rotateSigningKey(sealingBy: keyring, now: now, by: .server)
        }
    }

    /// Reads the keys again, unless another caller has done so since `old` was read.
    private func replace(_ old: OpenedKeys, now: NumericDate) async throws(RelyingPartyStoreError) {
        guard keys.readAt == old.readAt else { return }
        if let failure, failure.at == now { throw failure.error }
        let sealed: [SealedSigningKey]
        do throws(RelyingPartyStoreError) {
            sealed = try await read()
        } catch {
            failure = (error, now)
            throw error
        }
        guard keys.readAt == old.readAt else { return }
        do {
            let keys = try Self.open(
                sealed, under: keyring, relyingParty: relyingParty, schedule: schedule, now: now)
            opened.withLock { $0 = keys }
        } catch {
            // The keys changed while this process was running: an unknown master key seals them, or they are damaged.
            throw RelyingPartyStoreError(.corrupt)
        }
    }

    private func read() async throws(RelyingPartyStoreError) -> [SealedSigningKey] {
        if let reading { return try await reading.value.get() }
        // A separate task: if the request that started the read is cancelled, other requests still get its result.
        let task = Task { [store] in
            do throws(RelyingPartyStoreError) {
                return Result<_, RelyingPartyStoreError>.success(try await store.signingKeys())
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
        under keyring: MasterKeyring,
        relyingParty: Issuer,
        schedule: SigningKeySchedule,
        now: NumericDate
    ) throws(RelyingPartyStartError) -> OpenedKeys {
        var keys: [TokenSigningKey] = []
        for key in sealed {
            do {
                keys.append(try TokenSigningKey(key, underKeyOf: keyring))
            } catch {
                throw .masterKeyDoesNotFit
            }
        }
        guard let issuer = TokenIssuer(relyingParty: relyingParty, life: schedule.accessTokenLife, keys: keys) else {
            throw .store(RelyingPartyStoreError(.corrupt))
        }
        return OpenedKeys(
            issuer: issuer,
            verifier: AccessTokenVerifier(relyingParty: relyingParty, clients: nil, keys: issuer.publicKeys),
            readAt: now)
    }
}
