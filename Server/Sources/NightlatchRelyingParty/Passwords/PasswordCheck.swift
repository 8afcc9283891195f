package import NightlatchWire

/// Sets and verifies passwords.
///
/// An unknown user, a wrong password and a user who must wait get the same response, after the same work and in the
/// same time.
package struct PasswordCheck: Sendable {
    let store: any RelyingPartyStore
    let hasher: PasswordHasher
    /// The minimum duration of every check, so that the duration does not reveal the result.
    let answerTime: Duration

    package init(store: any RelyingPartyStore, hasher: PasswordHasher, answerTime: Duration) {
        self.store = store
        self.hasher = hasher
        self.answerTime = answerTime
    }

    /// Sets the password of a user, and creates the user if there is none yet.
    ///
    /// - Parameters:
    ///   - credentials: The user and the new password.
    ///   - actor: The party that sets it, for the audit log.
    package func set(
        _ credentials: Credentials, by actor: ActingParty
    ) async throws(Refusal) -> CredentialsResult {
        let password = try await hash(credentials.password, for: .backend)
        try await answer { () async throws(RelyingPartyStoreError) in
            try await store.setPassword(password, of: credentials.user, by: actor)
        }
        return CredentialsResult(user: credentials.user)
    }

    /// Hashes a new password for storage.
    ///
    /// - Throws: ``Refusal`` `overloaded` if no slot is free.
    func hash(
        _ password: Password,
        for caller: PasswordHasherPlace.Caller
    ) async throws(Refusal) -> StoredPassword {
        let place = try hasher.place(for: caller)
        let stored = try await hasher.hash(password, at: place)
        place.leave()
        return stored
    }

    /// Reserves a hashing slot for one password before an irreversible step.
    ///
    /// - Parameter caller: The caller that sent the password.
    /// - Throws: ``Refusal`` `overloaded` if no slot is free. No attempt was charged.
    func place(for caller: PasswordHasherPlace.Caller) throws(Refusal) -> PasswordHasherPlace {
        try hasher.place(for: caller)
    }

    /// Returns the user's stored password if the credentials are right.
    ///
    /// The attempt is charged before it is tested, so parallel attempts cannot evade the limit.
    ///
    /// - Parameters:
    ///   - credentials: The presented credentials.
    ///   - caller: The caller that sent them.
    /// - Throws: ``Refusal`` `credentialsRefused`; `overloaded` if no slot is free (no attempt was charged), or if
    ///   there is too little memory for a derivation (the attempt was charged).
    @discardableResult
    package func require(
        _ credentials: Credentials,
        from caller: PasswordHasherPlace.Caller
    ) async throws(Refusal) -> StoredPassword {
        try await require(credentials, at: hasher.place(for: caller))
    }

    /// As ``require(_:from:)``, in a slot that was reserved before. Frees the slot.
    @discardableResult
    func require(_ credentials: Credentials, at place: PasswordHasherPlace) async throws(Refusal) -> StoredPassword {
        let end = ContinuousClock.now + answerTime
        let result: Result<StoredPassword, Refusal>
        do {
            result = .success(try await check(credentials, at: place))
        } catch {
            result = .failure(error)
        }
        place.leave()
        // Cancellation ends the sleep early. This reveals nothing: a client that disconnected gets no response that it
        // could time.
        try? await Task.sleep(until: end, clock: .continuous)
        return try result.get()
    }

    private func check(
        _ credentials: Credentials,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> StoredPassword {
        let charged = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.chargePasswordAttempt(of: credentials.user)
        }
        let isRight = try await hasher.verify(credentials.password, against: charged ?? hasher.decoy, at: place)
        guard let charged, isRight else { throw .credentialsRefused }
        let raised = try await hasher.raised(credentials.password, from: charged, at: place)
        try await answer { () async throws(RelyingPartyStoreError) in
            try await store.acceptPassword(charged, raisedTo: raised, of: credentials.user)
        }
        return raised ?? charged
    }
}
