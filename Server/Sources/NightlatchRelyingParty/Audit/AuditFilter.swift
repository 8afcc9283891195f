public import NightlatchWire

/// The audit entries that a list shows. An entry must match each member that is not nil.
public struct AuditFilter: Hashable, Sendable {
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
}
