/// The file to which heads of the audit log are exported, and the interval.
public struct AuditHeadSchedule: Hashable, Sendable {
    /// The file. To detect a log that was truncated or restored, keep copies of its lines away from the store.
    public let file: AuditHeadFile
    /// The time between two exports. The loss of entries written since the last export goes undetected.
    public let interval: Duration

    public init(file: AuditHeadFile, interval: Duration = .seconds(60 * 60)) {
        self.file = file
        self.interval = interval
    }
}
