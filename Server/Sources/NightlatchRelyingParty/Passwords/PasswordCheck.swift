package import NightlatchWire

/// Sets passwords and says whether one is right.
///
/// An unknown user, a wrong password and a user who must wait get the same answer, after as much work and as much time.
package struct PasswordCheck: Sendable {
    let store: any RelyingPartyStore
    let hasher: PasswordHasher
    /// How long every answer takes at least.
    let answerTime: Duration

    package init(store: any RelyingPartyStore, hasher: PasswordHasher, answerTime: Duration) {
        self.store = store
        self.hasher = hasher
        self.answerTime = answerTime
    }

    /// Sets the password of a user, who is made if there is none yet.
    package func set(_ credentials: Credentials) async throws(Refusal) -> CredentialsResult {
        let place = try hasher.place(for: .backend)
        let password = try await hasher.hash(credentials.password, at: place)
        place.leave()
        try await answer { () async throws(StoreError) in
            try await store.setPassword(password, of: credentials.user)
        }
        return CredentialsResult(user: credentials.user)
    }

    /// Reserves a hashing slot for one password before an irreversible step.
    ///
    /// - Parameter caller: Whose password it is.
    /// - Throws: ``Refusal`` `overloaded` if there is none. Nothing was counted.
    func place(for caller: PasswordHasherPlace.Caller) throws(Refusal) -> PasswordHasherPlace {
        try hasher.place(for: caller)
    }

    /// Returns the user's password as it is stored if the credentials are right. The attempt is counted before it is tried, so that many at
    /// once are no way around.
    ///
    /// - Parameters:
    ///   - credentials: What was shown.
    ///   - caller: Who asks.
    /// - Throws: ``Refusal`` `credentialsRefused`, or `overloaded` if so many wait that this one is not tried; then nothing was counted.
    @discardableResult
    package func require(
        _ credentials: Credentials,
        from caller: PasswordHasherPlace.Caller
    ) async throws(Refusal) -> StoredPassword {
        try await require(credentials, at: hasher.place(for: caller))
    }

    /// As ``require(_:from:)``, at a place that was taken before and is left.
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
        // If the caller goes away meanwhile, nobody measures.
        try? await Task.sleep(until: end, clock: .continuous)
        return try result.get()
    }

    private func check(
        _ credentials: Credentials,
        at place: PasswordHasherPlace
    ) async throws(Refusal) -> StoredPassword {
        let charged = try await answer { () async throws(StoreError) in
            try await store.chargePasswordAttempt(of: credentials.user)
        }
        let isRight = try await hasher.verify(credentials.password, against: charged ?? hasher.decoy, at: place)
        guard let charged, isRight else { throw .credentialsRefused }
        let raised = try await hasher.raised(credentials.password, from: charged, at: place)
        try await answer { () async throws(StoreError) in
            try await store.acceptPassword(charged, raisedTo: raised, of: credentials.user)
        }
        return raised ?? charged
    }
}
