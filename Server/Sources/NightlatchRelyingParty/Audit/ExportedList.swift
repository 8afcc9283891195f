/// A list that an operator can export as a file.
public enum ExportedList: String, Codable, CaseIterable, Hashable, Sendable {
    case users
    case devices
    case transactions
    case remoteLogins = "remote_logins"
    case auditEntries = "audit_entries"
}
