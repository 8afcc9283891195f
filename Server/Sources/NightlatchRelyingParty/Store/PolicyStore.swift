public import NightlatchWire

/// The policies of apps and users. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol PolicyStore: Sendable {
    /// The policies of an app and of a user at one moment, in any order. One that was never set is missing. Writes
    /// nothing.
    func policies(
        of client: ClientID?, and user: UserID?
    ) async throws(RelyingPartyStoreError) -> [StoredPolicy]

    /// Replaces the whole policy of `subject`. A call that finds this policy already stored changes nothing, so it can
    /// be repeated after an error.
    ///
    /// - Parameters:
    ///   - policy: The new policy; one without members to remove the stored one.
    ///   - subject: The app or the user. A user must exist.
    ///   - revision: The revision that must be stored for anything to change; `first` if there must be none. Nil
    ///     replaces any.
    ///   - actor: The party that changes the policy.
    func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> PolicyChangeOutcome
}

/// The outcome of a call of ``PolicyStore/setPolicy(_:of:replacing:by:)``.
public enum PolicyChangeOutcome: Hashable, Sendable {
    /// The subject now has this policy; nil if a policy that was never set was to be removed.
    case stored(StoredPolicy?)
    /// Another revision is stored than the call replaces. Contains it; nil if there is none. Nothing changed.
    case changed(StoredPolicy?)
    /// Nothing changed.
    case noSuchUser
}

extension PolicyRevision {
    /// The number to add to the revision of each stored policy, so that all exceed those of a database that was lost.
    ///
    /// - Parameters:
    ///   - revisions: The least and the greatest revision of the stored policies.
    ///   - time: The time of the transaction.
    package static func renewal(of revisions: ClosedRange<PolicyRevision>, at time: NumericDate) -> Int {
        revisions.upperBound.following(at: time).rawValue - revisions.lowerBound.rawValue
    }
}

/// What ``PolicyStore/setPolicy(_:of:replacing:by:)`` writes.
package struct PolicyChange: Sendable {
    package let outcome: PolicyChangeOutcome
    /// The entry for the audit log; nil if nothing is to be written.
    package let event: AuditEvent?

    /// Decides about a call.
    ///
    /// - Parameters:
    ///   - policy: The new policy.
    ///   - subject: The app or the user, which exists.
    ///   - replaced: The revision that must be stored for anything to change.
    ///   - current: The stored policy of the subject.
    ///   - newest: The newest revision of all stored policies.
    ///   - actor: The party that changes the policy, and the time of the transaction.
    package init(
        setting policy: Policy, of subject: PolicySubject, replacing replaced: PolicyRevision?,
        current: StoredPolicy?, newest: PolicyRevision, by actor: (party: ActingParty, time: NumericDate)
    ) {
        if current?.policy ?? Policy() == policy {
            // Also if the answer of the same call was lost.
            (outcome, event) = (.stored(current), nil)
        } else if let replaced, replaced != current?.revision ?? .first {
            (outcome, event) = (.changed(current), nil)
        } else {
            let stored = StoredPolicy(
                subject: subject, policy: policy, revision: newest.following(at: actor.time), changedAt: actor.time,
                changedBy: actor.party.kind)
            outcome = .stored(stored)
            event = AuditEvent(set: stored, replacing: current?.policy ?? Policy(), by: actor.party)
        }
    }
}
