/// The demands of a relying party on the PIN, the authenticators, the keys and the version of an app.
///
/// An operator sets a policy for an app and a policy for a user. Both together are the user's policy at the app
/// (``overridden(by:)``). The relying party signs it, and delivers it to the user's devices (``PolicyClaims``).
///
/// A member that is nil demands nothing, and the app's own setting applies.
public struct Policy: Hashable, Sendable {
    /// The numbers of digits that a new PIN may have, `pin_lengths`.
    public var pinLengths: PolicyPinLengths?
    /// The least number of different digits in a new PIN, `pin_distinct_digits`.
    public var distinctDigits: PolicyDistinctDigits?
    /// The policy for wrong PINs, `lockout_policy`.
    public var lockoutPolicy: LockoutPolicyName?
    /// The proofs with which the user may open the vault, `authenticators`.
    public var authenticators: PolicyChoice<PolicyAuthenticator>?
    /// The demand on the place of the device key, `hardware`.
    public var hardware: HardwareDemand?
    /// The places where a new PIN may be tested, `pin_tiers`.
    public var pinTiers: PolicyChoice<PolicyPinTier>?
    /// The oldest version of the app that may be used, `least_app_version`.
    public var leastAppVersion: AppVersion?

    /// Creates a policy that demands nothing.
    public init() {}

    /// The name of a member in JSON. Cases are in the order of their names.
    public enum Member: String, Codable, Hashable, Sendable, CaseIterable {
        case authenticators
        case hardware
        case leastAppVersion = "least_app_version"
        case lockoutPolicy = "lockout_policy"
        case distinctDigits = "pin_distinct_digits"
        case pinLengths = "pin_lengths"
        case pinTiers = "pin_tiers"
    }

    /// The members that demand something, in the order of their names, with their values as texts for people.
    public var facts: [(member: Member, value: String)] {
        Member.allCases.compactMap { member in self[member].map { (member, $0) } }
    }

    /// Whether no member demands anything.
    public var isEmpty: Bool { self == Policy() }

    /// Returns this policy with the members of `other` in place of its own, where `other` has them.
    ///
    /// This is the policy of an app, and `other` that of its user.
    public func overridden(by other: Policy) -> Policy { replacing(other.facts.map { $0.member }, with: other) }

    /// Returns this policy with these members as `other` has them. Members that `other` lacks are removed.
    public func replacing(_ members: some Sequence<Member>, with other: Policy) -> Policy {
        var policy = self
        for member in members {
            switch member {
            case .authenticators: policy.authenticators = other.authenticators
            case .hardware: policy.hardware = other.hardware
            case .leastAppVersion: policy.leastAppVersion = other.leastAppVersion
            case .lockoutPolicy: policy.lockoutPolicy = other.lockoutPolicy
            case .distinctDigits: policy.distinctDigits = other.distinctDigits
            case .pinLengths: policy.pinLengths = other.pinLengths
            case .pinTiers: policy.pinTiers = other.pinTiers
            }
        }
        return policy
    }

    /// Returns the members whose values differ from those of `old`, in the order of their names.
    public func members(changedFrom old: Policy) -> [Member] {
        Member.allCases.filter { self[$0] != old[$0] }
    }

    private subscript(member: Member) -> String? {
        switch member {
        case .authenticators: authenticators?.names.joined(separator: ", ")
        case .hardware: hardware?.rawValue
        case .leastAppVersion: leastAppVersion?.rawValue
        case .lockoutPolicy: lockoutPolicy?.rawValue
        case .distinctDigits: distinctDigits.map { String($0.rawValue) }
        case .pinLengths: pinLengths.map { Self.text(of: $0.range) }
        case .pinTiers: pinTiers?.names.joined(separator: ", ")
        }
    }

    private static func text(of range: ClosedRange<Int>) -> String {
        range.count == 1 ? String(range.lowerBound) : "\(range.lowerBound)-\(range.upperBound)"
    }
}
