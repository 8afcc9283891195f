public import NightlatchWire

/// The audit entries that a list shows. An entry must match each member that is not nil.
///
/// A search for a user's entries of one kind ends after the newest ``searchedEntryCount`` entries of the user. An index
/// for it would cost each login more than it is worth.
public struct AuditFilter: Hashable, Sendable {
    /// The number of a user's entries in which those of one kind are searched, from the place of the page on.
    public static let searchedEntryCount = 10_000

    public var user: UserID?
    public var kind: AuditEvent.Kind?
    /// The cause of refused requests. Only entries of the kind `requestsRefused` have one.
    public var problem: ProblemCode?
    /// The latest time of the entries.
    public var until: NumericDate?

    public init(
        user: UserID? = nil, kind: AuditEvent.Kind? = nil, problem: ProblemCode? = nil, until: NumericDate? = nil
    ) {
        self.user = user
        self.kind = kind
        self.problem = problem
        self.until = until
    }

    /// Whether a kind is searched among the entries of a user.
    package var isKindOfUser: Bool { user != nil && kind != nil }

    /// Whether an entry can match. If not, a store returns nothing without a search.
    ///
    /// Refused requests are counted by cause, for no user, and no other entry has a cause.
    package var canMatch: Bool {
        let isOfRefusals = kind == .requestsRefused || problem != nil
        return !isOfRefusals || user == nil && (kind ?? .requestsRefused) == .requestsRefused
    }
}
