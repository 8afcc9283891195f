/// A check, as the app shows it.
public struct CheckRow: Hashable, Sendable, Identifiable {
    public let assumption: Assumption
    public let state: CheckState
    /// The reason why the last run ended without a result.
    public let problem: String?
    public let actions: [CheckAction]

    public var id: Assumption { assumption }
}

/// All checks, as the app shows them.
public struct Overview: Hashable, Sendable {
    public let rows: [CheckRow]
    /// A problem of all checks, such as a Keychain that cannot be read.
    public let problem: String?

    /// Before the first start.
    public static let empty = Self(rows: [], problem: nil)

    public func rows(in section: Assumption.Section) -> [CheckRow] {
        rows.filter { $0.assumption.section == section }
    }
}
