package import NightlatchWire

extension Administration {
    /// The number of attempts to change a profile that others change at the same time.
    private static let attemptLimit = 8

    /// The user's profile; nil if the user has none.
    package func profile(of user: UserID) async throws(AdministrationError) -> StoredProfile? {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in try await store.profile(of: user) }
    }

    /// Changes the user's profile.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - change: Returns the new profile for the stored one, or nil to remove it. Runs again if the stored profile
    ///     was changed at the same time.
    /// - Returns: The profile as it is stored; nil if there is none.
    /// - Throws: ``AdministrationError`` `store` with `unavailable`, also if others changed the profile at each
    ///   attempt.
    package func changeProfile(
        of user: UserID, _ change: (UserProfile) -> UserProfile?
    ) async throws(AdministrationError) -> StoredProfile? {
        var current = try await profile(of: user)
        for _ in 0..<Self.attemptLimit {
            let read = current
            let new = change(read?.profile ?? UserProfile())
            let outcome = try await ask { () async throws(RelyingPartyStoreError) in
                try await store.setProfile(new, of: user, replacing: ReplacedProfile(read), by: party)
            }
            switch outcome {
            case .stored(let stored): return stored
            case .changed(let newer): current = newer
            case .noSuchUser: throw .userUnknown
            }
        }
        throw .store(RelyingPartyStoreError(.unavailable))
    }
}
