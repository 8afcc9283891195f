package import Logging

/// The value of a field in the log. In JSON format a number stays a number.
package enum LogValue: Hashable, Sendable {
    case text(String)
    case number(Int)

    /// Converts a value of a log event. Only an integer that was logged as such is a number: a text of digits, such as
    /// an id, is a text, so that a field always has the same type.
    package init(_ value: Logger.Metadata.Value) {
        if case .stringConvertible(let value) = value, let number = value as? Int {
            self = .number(number)
        } else {
            self = .text(value.description)
        }
    }
}

extension LogValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

extension LogValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}
