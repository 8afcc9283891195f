public import NightlatchWire

/// The numbers of events in the last hour and the last day, as far as they have been counted.
///
/// Both periods end at ``until``, which is one to three minutes ago: a minute is counted when no transaction can add an
/// entry to it any more. So the numbers are those of the whole log, whichever process wrote it.
public struct EventFigures: Hashable, Sendable {
    /// The end of the periods; nil if nothing was counted yet.
    public var until: NumericDate?
    /// The events of each kind, and the refused requests of each cause, in the order of kinds and causes.
    public var counts: [Count]

    public init(until: NumericDate?, counts: [Count]) {
        self.until = until
        self.counts = counts.sorted { ($0.kind.rawValue, $0.cause) < ($1.kind.rawValue, $1.cause) }
    }

    /// The number of events of one kind.
    public struct Count: Hashable, Sendable {
        public let kind: AuditEvent.Kind
        /// The cause of refused requests; nil for other kinds.
        public let problem: ProblemCode?
        public var lastHour: Int
        public var lastDay: Int

        public init(kind: AuditEvent.Kind, problem: ProblemCode? = nil, lastHour: Int, lastDay: Int) {
            self.kind = kind
            self.problem = problem
            self.lastHour = lastHour
            self.lastDay = lastDay
        }

        /// The count of a stored row; `problem` is empty for none.
        ///
        /// - Throws: ``RelyingPartyStoreError`` `corrupt` for a kind that the program does not count.
        package init(
            stored kind: String, problem: String, lastHour: Int, lastDay: Int
        ) throws(RelyingPartyStoreError) {
            guard let kind = AuditEvent.Kind(rawValue: kind) else { throw RelyingPartyStoreError(.corrupt) }
            self.init(
                kind: kind, problem: problem.isEmpty ? nil : ProblemCode(rawValue: problem), lastHour: lastHour,
                lastDay: lastDay)
        }

        fileprivate var cause: String { problem?.rawValue ?? "" }
    }

    /// The events of `kind`, whatever their cause.
    package func total(of kind: AuditEvent.Kind) -> (lastHour: Int, lastDay: Int) {
        counts.filter { $0.kind == kind }.reduce((0, 0)) { ($0.0 + $1.lastHour, $0.1 + $1.lastDay) }
    }
}
