import NightlatchWire

/// A value that a client has entered.
enum EnteredValue: Hashable, Sendable {
    case string(String)
    case number(Double)
    case boolean(Bool)

    /// The kind of a value, by the name that journey files and PingAM's policies use.
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case string, number, boolean

        /// The value of an input that the client has not filled yet.
        var unanswered: JSONValue {
            switch self {
            case .string: .string("")
            case .number: .integer(0)
            case .boolean: .bool(false)
            }
        }
    }

    /// Parses an input. Some clients send numbers and Boolean values as strings.
    ///
    /// Returns nil for a value of another kind.
    init?(_ value: JSONValue, as kind: Kind) {
        switch (kind, value) {
        case (.string, .string(let text)): self = .string(text)
        case (.number, .number(let text)), (.number, .string(let text)):
            // Swift also parses hexadecimal numbers, infinity and NaN.
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text),
                number.isFinite
            else { return nil }
            self = .number(number)
        case (.boolean, .bool(let isTrue)): self = .boolean(isTrue)
        case (.boolean, .string("true")): self = .boolean(true)
        case (.boolean, .string("false")): self = .boolean(false)
        default: return nil
        }
    }

    /// The text under which the state of a journey stores the value: `30` for both 30 and 30.0.
    var text: String {
        switch self {
        case .string(let text): text
        case .number(let number): Int(exactly: number).map { String($0) } ?? String(number)
        case .boolean(let isTrue): String(isTrue)
        }
    }

    var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .number: .number(text)
        case .boolean(let isTrue): .bool(isTrue)
        }
    }
}
