public import NightlatchRelyingParty
import NightlatchWire

extension MemoryRelyingPartyStore {
    public func acceptRestore() async throws(RelyingPartyStoreError) -> RestoreEffects {
        let pending = transactions.values.filter { $0.state(at: clock.now()) == .pending }.map(\.id)
        let open = remoteLogins.filter { [.pending, .confirmed].contains($0.value.state) }
        let unused = codes.filter { $0.value.usedBy == nil }
        var effects = RestoreEffects()
        effects.logins = families.count
        effects.appGrants = grants.grants.count + grants.codes.count
        effects.journeySessions = journeys.sessions.count
        effects.enrolmentCodes = unused.count
        effects.transactions = pending.count
        effects.remoteLogins = open.count
        effects.twoPartyPins = pinHardenings.count
        let valid = storedAPIKeys.values.map(\.key).filter { $0.revokedAt == nil }
        effects.apiKeys = valid.count
        for key in valid { _ = try await revokeAPIKey(key.id, by: .operator) }
        families = [:]
        grants.grants = [:]
        grants.codes = [:]
        journeys.sessions = [:]
        for mac in unused.keys { codes[mac] = nil }
        for id in open.keys { remoteLogins[id] = nil }
        for user in users.keys { journeys.generations[user, default: 0] += 1 }
        for id in pending { _ = try await voidTransaction(id, by: .operator) }
        let revisions = storedPolicies.values.map(\.revision)
        if let least = revisions.min(), let greatest = revisions.max() {
            let renewal = PolicyRevision.renewal(of: least...greatest, at: clock.now())
            effects.policies = revisions.count
            storedPolicies = storedPolicies.mapValues { stored in
                StoredPolicy(
                    subject: stored.subject, policy: stored.policy,
                    revision: PolicyRevision(rawValue: stored.revision.rawValue + renewal) ?? stored.revision,
                    changedAt: stored.changedAt, changedBy: stored.changedBy)
            }
        }
        append(AuditEvent(.restoreAccepted, by: .operator))
        return effects
    }
}
