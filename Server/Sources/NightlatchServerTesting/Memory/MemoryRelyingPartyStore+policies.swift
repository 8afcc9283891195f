public import NightlatchRelyingParty
public import NightlatchWire

extension MemoryRelyingPartyStore {
    public func policies(
        of client: ClientID?, and user: UserID?
    ) async throws(RelyingPartyStoreError) -> [StoredPolicy] {
        [client.map(PolicySubject.app), user.map(PolicySubject.user)].compactMap { subject in
            subject.flatMap { storedPolicies[$0] }
        }
    }

    public func setPolicy(
        _ policy: Policy, of subject: PolicySubject, replacing revision: PolicyRevision?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> PolicyChangeOutcome {
        if case .user(let user) = subject, users[user] == nil { return .noSuchUser }
        let change = PolicyChange(
            setting: policy, of: subject, replacing: revision, current: storedPolicies[subject],
            newest: storedPolicies.values.map(\.revision).max() ?? .first, by: (actor, clock.now()))
        if case .stored(let stored?) = change.outcome, let event = change.event {
            storedPolicies[subject] = stored
            append(event)
        }
        return change.outcome
    }
}
