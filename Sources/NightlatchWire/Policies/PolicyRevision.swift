/// The revision of the policy for one user of one app. It increases with every change, so a device never goes back to
/// an older policy.
///
/// A change gets at least the time in milliseconds since 1970. So it also exceeds the revisions that a relying party has
/// lost, after its database was restored from a backup, if its clock was right and it made at most 1000 changes a second.
public typealias PolicyRevision = SequenceNumber<PolicyRevisionRule>

public enum PolicyRevisionRule: SequenceNumberRule {
    public static let name = "policy revision"
    /// The revision that a device states if it knows no policy.
    public static let first = 0
}

extension SequenceNumber where Rule == PolicyRevisionRule {
    /// The revision of the next change.
    ///
    /// - Parameter time: The time of the change, by the relying party's clock.
    public func following(at time: NumericDate) -> Self {
        let (milliseconds, overflow) = time.secondsSince1970.multipliedReportingOverflow(by: 1000)
        return overflow ? next : max(next, Self(rawValue: milliseconds) ?? next)
    }
}
