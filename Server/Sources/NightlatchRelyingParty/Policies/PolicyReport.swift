package import NightlatchWire

/// A policy as operators and backends see it: `policy`, `revision`, the subject's id in `app` or `user`, and the last
/// change in `changed_at` and `changed_by`. A policy that was never set has no members, the revision 0 and no change.
package struct PolicyReport: Encodable, Sendable {
    private let subject: PolicySubject
    private let stored: StoredPolicy?

    package init(_ stored: StoredPolicy?, of subject: PolicySubject) {
        self.subject = subject
        self.stored = stored
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.addIfPresent("app", subject.client)
        if let stored {
            try members.add("changed_at", stored.changedAt)
            try members.add("changed_by", stored.changedBy)
        }
        try members.add("policy", stored?.policy ?? Policy())
        try members.add("revision", stored?.revision ?? .first)
        try members.addIfPresent("user", subject.user)
    }
}

/// The policy of one user at one app as operators see it: `app`, `user`, `policy` and `revision`.
package struct EffectivePolicyReport: Encodable, Sendable {
    private let client: ClientID
    private let user: UserID
    private let effective: EffectivePolicy

    package init(_ effective: EffectivePolicy, of user: UserID, at client: ClientID) {
        self.client = client
        self.user = user
        self.effective = effective
    }

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("app", client)
        try members.add("policy", effective.policy)
        try members.add("revision", effective.revision)
        try members.add("user", user)
    }
}
