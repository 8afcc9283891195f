package import NightlatchWire

extension Administration {
    /// The number of attempts to change a policy that others change at the same time.
    private static let policyAttemptLimit = 8

    /// The policy of an app or a user; nil if it was never set.
    package func policy(of subject: PolicySubject) async throws(AdministrationError) -> StoredPolicy? {
        if let user = subject.user { _ = try await self.user(user) }
        return try await ask { () async throws(RelyingPartyStoreError) in
            try await store.policies(of: subject.client, and: subject.user).first
        }
    }

    /// The policy that the devices of `user` get at `client`; nil if neither policy was ever set.
    package func effectivePolicy(
        of user: UserID, at client: ClientID
    ) async throws(AdministrationError) -> EffectivePolicy? {
        _ = try await self.user(user)
        return try await ask { () async throws(RelyingPartyStoreError) in
            EffectivePolicy(try await store.policies(of: client, and: user))
        }
    }

    /// Replaces the whole policy of an app or a user.
    ///
    /// - Parameters:
    ///   - policy: The new policy; one without members to remove the stored one.
    ///   - subject: The app or the user.
    ///   - revision: The revision that the operator has seen; `first` for none.
    package func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision
    ) async throws(AdministrationError) -> PolicyChangeOutcome {
        try await ask { () async throws(RelyingPartyStoreError) in
            try await store.setPolicy(policy, of: subject, replacing: revision, by: party)
        }
    }

    /// Changes the policy of an app or a user.
    ///
    /// - Parameters:
    ///   - subject: The app or the user.
    ///   - change: Returns the new policy for the stored one; one without members to remove it. Runs again if the
    ///     stored policy was changed at the same time.
    /// - Returns: The policy as it is stored; nil if one that was never set was to be removed.
    /// - Throws: ``AdministrationError`` `store` with `unavailable`, also if others changed the policy at each attempt.
    package func changePolicy(
        of subject: PolicySubject, _ change: (Policy) -> Policy
    ) async throws(AdministrationError) -> StoredPolicy? {
        var current = try await policy(of: subject)
        for _ in 0..<Self.policyAttemptLimit {
            let new = change(current?.policy ?? Policy())
            switch try await setPolicy(new, of: subject, replacing: current?.revision ?? .first) {
            case .stored(let stored): return stored
            case .changed(let newer): current = newer
            case .noSuchUser: throw .userUnknown
            }
        }
        throw .store(RelyingPartyStoreError(.unavailable))
    }
}
