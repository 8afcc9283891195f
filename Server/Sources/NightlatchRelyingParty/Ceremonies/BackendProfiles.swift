package import NightlatchWire

/// The backend's operations on the profiles of users.
package struct BackendProfiles: Sendable {
    let store: any RelyingPartyStore

    package init(store: any RelyingPartyStore) {
        self.store = store
    }

    /// - Throws: ``Refusal`` `notFound` if the user has no profile or does not exist.
    package func profile(of user: UserID) async throws(Refusal) -> ProfileReport {
        let found = try await answer { () async throws(RelyingPartyStoreError) in try await store.profile(of: user) }
        guard let found else { throw .notFound }
        return ProfileReport(found, of: user)
    }

    /// Replaces the whole profile of a user. Idempotent.
    ///
    /// - Throws: ``Refusal`` `notFound` if the user does not exist.
    package func set(_ request: ProfileRequest, by actor: ActingParty) async throws(Refusal) -> ProfileReport {
        switch try await set(request.profile, of: request.user, by: actor) {
        case .stored(let stored?): return ProfileReport(stored, of: request.user)
        case .noSuchUser: throw .notFound
        // No store answers so when a profile replaces any other.
        case .stored(nil), .changed: throw .internalError
        }
    }

    /// Removes the profile of a user. Idempotent, also for a user who does not exist.
    package func remove(_ owner: ProfileOwner, by actor: ActingParty) async throws(Refusal) -> ProfileOwner {
        _ = try await set(nil, of: owner.user, by: actor)
        return owner
    }

    private func set(
        _ profile: UserProfile?, of user: UserID, by actor: ActingParty
    ) async throws(Refusal) -> ProfileChangeOutcome {
        try await answer { () async throws(RelyingPartyStoreError) in
            try await store.setProfile(profile, of: user, replacing: .any, by: actor)
        }
    }
}
