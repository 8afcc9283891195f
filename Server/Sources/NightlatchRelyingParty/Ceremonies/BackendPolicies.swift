package import NightlatchWire

/// The backend's operations on the policies of apps and users.
package struct BackendPolicies: Sendable {
    let store: any RelyingPartyStore

    package init(store: any RelyingPartyStore) {
        self.store = store
    }

    /// The policy of an app or a user. One that was never set has no members and the revision 0.
    package func policy(of subject: PolicySubject) async throws(Refusal) -> PolicyReport {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.policies(of: subject.client, and: subject.user)
        }
        return PolicyReport(found.first, of: subject)
    }

    /// Replaces the whole policy of an app or a user. Idempotent.
    ///
    /// - Parameters:
    ///   - policy: The new policy; one without members to remove the stored one.
    ///   - subject: The app or the user.
    ///   - actor: The party that sets it, for the audit log.
    /// - Throws: ``Refusal`` `notFound` if the user does not exist.
    package func set(
        _ policy: Policy, of subject: PolicySubject, by actor: ActingParty
    ) async throws(Refusal) -> PolicyReport {
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await store.setPolicy(policy, of: subject, replacing: nil, by: actor)
        }
        switch outcome {
        case .stored(let stored): return PolicyReport(stored, of: subject)
        case .noSuchUser: throw .notFound
        // No store answers so when a policy replaces any other.
        case .changed: throw .internalError
        }
    }
}

/// A request to set the policy of a user.
package struct UserPolicyRequest: Decodable, Sendable {
    package let user: UserID
    package let policy: Policy
}
