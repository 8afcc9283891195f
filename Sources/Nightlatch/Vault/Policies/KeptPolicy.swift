public import NightlatchWire

/// A policy of the relying party that a vault keeps.
public struct KeptPolicy: Hashable, Sendable {
    /// The demands that this version of the library knows.
    public let policy: Policy
    public let revision: PolicyRevision
    /// The time at which the relying party signed it, by its clock.
    public let issuedAt: NumericDate
    /// The demands that this version of the library does not know, such as `pin_history` or `authenticators.passkey`.
    /// It ignores them. Tell the user, or your own server, that the app needs an update.
    public let ignoredMembers: [String]
    /// The policy as the relying party wrote it.
    let content: String

    init(_ claims: PolicyClaims) {
        policy = claims.policy
        revision = claims.revision
        issuedAt = claims.issuedAt
        ignoredMembers = claims.ignoredMembers
        content = claims.content
    }

    /// Whether the policy lets this version of the app be used. If not, ask the user to update the app.
    public func permits(_ version: AppVersion) -> Bool {
        guard let least = policy.leastAppVersion else { return true }
        return version >= least
    }
}

/// An error that occurs while reading or keeping a policy. The vault keeps the policy that it had.
///
/// A vault without a policy is no error: ``OpenVault/policy()`` then returns nil.
public enum PolicyError: Error, Hashable, Sendable {
    /// The vault could not be read or written now. See ``VaultError/code`` for the next step.
    case vault(VaultError)
    /// The kept policy is damaged. The next login replaces it.
    case corrupt
    /// The relying party's policy was not accepted.
    case refused(PolicyRefusal)
}

/// The reason why a policy was not accepted. A login or binding that delivered it is valid all the same.
public enum PolicyRefusal: Error, Hashable, Sendable {
    /// The device has pinned no key of the relying party, so nothing can vouch for a policy. A new binding pins one.
    case noPinnedKey
    /// The pinned key has not signed it.
    case wrongSignature
    /// It is not a compact JWS with a policy, or its policy breaks a rule.
    case malformed
    /// It is for another relying party, app or user, or the device is no longer bound.
    case ofAnother
    /// It is older than the kept policy, which has this revision.
    case older(than: PolicyRevision)
    /// The kept policy has the same revision and another content. The relying party never signs two such policies.
    case contradictory(PolicyRevision)
}
