import NightlatchRelyingParty
import NightlatchWire

/// The members of a list's query: the filter, and the place of the page.
///
/// The same fields name a page's address, the form of the filter and the form of the export.
struct ListFields {
    private let fields: FormFields

    init(_ request: ConsoleRequest) { fields = request.fields }

    /// Returns the field `name` without spaces around it; nil if nothing is left.
    func text(_ name: String) -> String? {
        guard let text = fields.fields[name] else { return nil }
        let trimmed = text.trimming(while: \.isWhitespace)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns the field `name` as `read` reads it; nil if it is missing or empty.
    ///
    /// - Throws: ``ConsoleRefusal`` with `malformedRequest` if `read` returns nil.
    func value<Value>(_ name: String, _ read: (String) -> Value?) throws(ConsoleRefusal) -> Value? {
        guard let text = text(name) else { return nil }
        guard let value = read(text) else { throw .refused(.malformedRequest) }
        return value
    }

    /// The fields of `names` that are not empty, for links and the export.
    func kept(_ names: [String]) -> [Fact] {
        names.compactMap { name in text(name).map { Fact(name, $0) } }
    }
}

extension String {
    fileprivate func trimming(while condition: (Character) -> Bool) -> String {
        let start = drop(while: condition)
        guard let last = start.lastIndex(where: { !condition($0) }) else { return "" }
        return String(start[...last])
    }
}
