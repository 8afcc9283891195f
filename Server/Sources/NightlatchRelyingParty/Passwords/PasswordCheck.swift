package import NightlatchWire

/// Sets and verifies passwords.
///
/// An unknown user, a wrong password and a user who must wait get the same response, after one derivation and not
/// before the answer time. A derivation for an imported hash may cost more than one of this server, see
/// ``ImportedPasswordHash``: a caller that sends several passwords of one user at once can measure the difference.
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
    package func set(_ credentials: Credentials) async throws(Refusal) -> CredentialsResult {
        let password = try await hash(credentials.password, for: .backend)
        try await answer { () async throws(RelyingPartyStoreError) in
            try await store.setPassword(password, of: credentials.user)
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
    /// - Throws: ``Refusal`` `credentialsRefused`; `overloaded` if no slot is free or there is too little memory for a
    ///   derivation. No attempt stays charged for a password that was not tested, unless the process ends before it
    ///   takes the charge back.
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
        // Of two right attempts at once, one raises the hash that the other was tested against. The other is tested
        // again, once, against the new hash.
        for _ in 1...2 {
            let charged = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.chargePasswordAttempt(of: credentials.user)
            }
            guard let charged else {
                _ = try await hasher.verify(credentials.password, against: hasher.decoy, at: place)
                throw .credentialsRefused
            }
            guard try await test(credentials, against: charged, at: place) else { throw .credentialsRefused }
            let raised = try await hasher.raised(credentials.password, from: charged, at: place)
            let isAccepted = try await answer { () async throws(RelyingPartyStoreError) in
                try await store.acceptPassword(charged, raisedTo: raised, of: credentials.user)
            }
            if isAccepted { return raised ?? charged }
        }
        throw .overloaded
    }

    /// Whether the password is the charged one. Takes the charge back if the password could not be tested.
    private func test(
        _ credentials: Credentials, against charged: StoredPassword, at place: PasswordHasherPlace
    ) async throws(Refusal) -> Bool {
        let result: Result<PasswordHasher.Verification, Refusal>
        do {
            result = .success(try await hasher.verify(credentials.password, against: charged, at: place))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(.right): return true
        case .success(.wrong): return false
        case .success(.notTested), .failure:
            try await answer { () async throws(RelyingPartyStoreError) in
                try await store.takeBackPasswordAttempt(charged, of: credentials.user)
            }
        }
        // A password that could not be tested gets the answer of a wrong one: another would tell strangers that the
        // user exists.
        return try result.get() == .right
    }
}
