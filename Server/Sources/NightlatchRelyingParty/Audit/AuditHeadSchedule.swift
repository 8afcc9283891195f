/// Where heads of the audit log are exported to, and how often.
public struct AuditHeadSchedule: Hashable, Sendable {
    /// Whatever is to see a log that was cut off or put back must keep these lines elsewhere than the store.
    public let file: AuditHeadFile
    /// The entries of one interval can be lost unseen.
    public let interval: Duration

    public init(file: AuditHeadFile, interval: Duration = .seconds(60 * 60)) {
        self.file = file
        self.interval = interval
    }
}
