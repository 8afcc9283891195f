public import NightlatchWire

/// The app or the user that a policy is for.
public enum PolicySubject: Hashable, Sendable {
    /// All users of an app, which need not be registered: devices can also use the apps of the server's settings.
    case app(ClientID)
    /// One user, at all apps.
    case user(UserID)

    /// The kind in a store: `app` or `user`.
    package var kind: String {
        switch self {
        case .app: "app"
        case .user: "user"
        }
    }

    /// The app; nil for a user.
    package var client: ClientID? {
        if case .app(let client) = self { client } else { nil }
    }

    /// The user; nil for an app.
    package var user: UserID? {
        if case .user(let user) = self { user } else { nil }
    }

    /// The id of the app or the user.
    package var id: String {
        switch self {
        case .app(let client): client.rawValue
        case .user(let user): user.rawValue
        }
    }
}

/// The policy of an app or a user, as stored.
public struct StoredPolicy: Hashable, Sendable {
    public let subject: PolicySubject
    /// The policy. A removed one stays stored without members, so that devices learn of the removal.
    public let policy: Policy
    /// The revision, which no other change of a policy has.
    public let revision: PolicyRevision
    public let changedAt: NumericDate
    /// The kind of party that changed it. The audit log has its name.
    public let changedBy: ActingParty.Kind

    public init(
        subject: PolicySubject, policy: Policy, revision: PolicyRevision, changedAt: NumericDate,
        changedBy: ActingParty.Kind
    ) {
        self.subject = subject
        self.policy = policy
        self.revision = revision
        self.changedAt = changedAt
        self.changedBy = changedBy
    }
}

extension StoredPolicy {
    /// The policy as a store contains it: strict JSON.
    package var document: String { String(decoding: StrictJSON.bytes(of: policy), as: UTF8.self) }

    /// Reads the columns of a store.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` if no store has written them.
    package init(
        kind: String, id: String, policy: Policy, revision: Int, change: (by: String, at: NumericDate)
    ) throws(RelyingPartyStoreError) {
        let subject: PolicySubject? =
            switch kind {
            case "app": ClientID.stored(id).map(PolicySubject.app)
            case "user": UserID.stored(id).map(PolicySubject.user)
            default: nil
            }
        guard let subject, let revision = PolicyRevision(rawValue: revision),
            let actor = ActingParty.Kind(rawValue: change.by)
        else { throw RelyingPartyStoreError(.corrupt) }
        self.init(
            subject: subject, policy: policy, revision: revision, changedAt: change.at, changedBy: actor)
    }
}

/// The policy of one user at one app: the app's, with the members of the user's in place of its own.
///
/// Its revision is the newer of the two. Each change of either has a revision that no change had before. So the same
/// revision always means the same policy, and each change of the effective policy increases it.
package struct EffectivePolicy: Hashable, Sendable {
    package let policy: Policy
    package let revision: PolicyRevision

    /// Combines the stored policies of an app and of a user. Returns nil if neither was ever set.
    package init?(_ stored: [StoredPolicy]) {
        guard let newest = stored.map(\.revision).max() else { return nil }
        revision = newest
        policy = stored.reduce(into: Policy()) { policy, stored in
            policy =
                switch stored.subject {
                case .app: stored.policy.overridden(by: policy)
                case .user: policy.overridden(by: stored.policy)
                }
        }
    }
}
