import NightlatchRelyingParty
import NightlatchWire

/// The list of audit entries: its filter and place in an address.
struct AuditList {
    static let filterNames = ["user", "kind", "problem", "until"]

    let filter: AuditFilter
    let until: ListTime?
    let position: AuditPosition?
    let kept: [Fact]

    init(_ fields: ListFields) throws(ConsoleRefusal) {
        until = try fields.value("until", ListTime.init)
        filter = AuditFilter(
            user: try fields.value("user", UserID.init), kind: try fields.value("kind", AuditEvent.Kind.init),
            problem: try fields.value("problem", Self.problem), until: until?.end)
        position = try fields.value("before", AuditPosition.init)
        kept = fields.kept(Self.filterNames)
    }

    /// Returns the cause that `text` names; nil if it is no code.
    private static func problem(_ text: String) -> ProblemCode? {
        let isCode = text.utf8.count <= 64 && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
        return isCode ? ProblemCode(rawValue: text) : nil
    }

    func caption(_ count: BoundedCount) -> String {
        let conditions = [
            filter.kind.map { "event: \($0.inWords)" }, filter.problem.map { "cause: \($0.rawValue)" },
            filter.user.map { "user: \($0.rawValue)" }, until.map { "until \($0.text.replacing("T", with: " "))" },
        ].compactMap(\.self)
        let order = position == nil ? "newest first" : "newest first, older than the previous page"
        return ([count.inWords("event", "events")] + conditions + [order]).joined(separator: ", ")
    }
}

extension AuditEvent.Kind {
    /// The kind in words: `Device revoked` for `device_revoked`.
    var inWords: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("_", with: " ") }
}
