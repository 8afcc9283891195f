import NightlatchRelyingParty
import NightlatchWire

/// The members of a list's query: the filter, and the place of the page.
///
/// The same fields name a page's address, the form of the filter and the form of the export.
struct ListFields {
    private let fields: FormFields

    /// - Throws: ``ConsoleRefusal`` with `malformedRequest` if a field has a control character. No name and no id has
    ///   one, and PostgreSQL takes no text with U+0000.
    init(_ request: ConsoleRequest) throws(ConsoleRefusal) {
        fields = request.fields
        let hasControl = fields.fields.values.contains { text in
            text.trimming(while: \.isWhitespace).unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        if hasControl { throw .refused(.malformedRequest) }
    }

    /// Returns the field `name` without spaces around it; nil if nothing is left.
    func text(_ name: String) -> String? {
        guard let text = fields.fields[name] else { return nil }
        let trimmed = text.trimming(while: \.isWhitespace)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns the place of a page in a list that is ordered by a folded text: after the row with the id `last`, or at
    /// the first text that begins with the field `from`; nil for the first page.
    ///
    /// - Parameter last: The field `after` as an id; nil if it is missing.
    func position(after last: String?) -> ListPosition? {
        guard let last else { return text("from").map { ListPosition(text: SearchText($0), id: "") } }
        // As it was sent: a folded name may have spaces around it, and it is empty until the name is folded.
        return ListPosition(text: SearchText(stored: fields.fields["after_text"] ?? ""), id: last)
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
