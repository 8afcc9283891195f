public import NightlatchWire

/// The name of a scope in the audit log, perhaps of one that only a later version knows.
///
/// So an entry that a later version has written about a new key stays readable.
public typealias APIScopeName = Identifier<APIScopeNameRule>

public enum APIScopeNameRule: IdentifierRule {
    public static let name = "scope name"
    public static let requirement = "1 to 64 lowercase letters, hyphens and colons"

    public static func accepts(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ":") }
    }
}

extension Set<APIScope> {
    /// The names for the audit log, in the order of ``APIScope``'s cases.
    var names: [APIScopeName] { inOrder.compactMap { APIScopeName(rawValue: $0.rawValue) } }
}
