import NightlatchWire

/// Counts the entries whose personal part was erased, and what the deletions of users state about them.
struct AuditErasures {
    /// The number of erased entries, by the pseudonym under which they are filed.
    private var erased: [String: Int] = [:]
    /// The number of entries that deletions have erased, by pseudonym.
    private var stated: [String: Int] = [:]

    /// Counts an entry of a chain.
    mutating func add(_ event: AuditEvent, isErased: Bool) {
        if isErased { erased[event.pseudonym?.rawValue ?? "", default: 0] += 1 }
        if event.kind == .userDeleted, let pseudonym = event.pseudonym {
            // Who can write rows can write any count.
            stated[pseudonym.rawValue] = Self.sum(stated[pseudonym.rawValue, default: 0], max(0, event.count ?? 0))
        }
    }

    /// Adds the counts of another chain.
    mutating func merge(_ other: Self) {
        erased.merge(other.erased) { $0 + $1 }
        stated.merge(other.stated, uniquingKeysWith: Self.sum)
    }

    /// The sum, or the greatest number if the sum is greater.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooGreat) = left.addingReportingOverflow(right)
        return isTooGreat ? .max : sum
    }

    /// The number of erased entries.
    var count: Int { erased.values.reduce(0, +) }

    /// A finding for each pseudonym under which more entries are erased than its deletion states, in the order of the
    /// pseudonyms.
    ///
    /// Fewer are no finding: a user may be deleted after the rows were read.
    var findings: [AuditFinding] {
        erased.filter { $0.value > stated[$0.key, default: 0] }.sorted { $0.key < $1.key }
            .map { .erased(pseudonym: $0.key, count: $0.value, explained: stated[$0.key, default: 0]) }
    }
}
