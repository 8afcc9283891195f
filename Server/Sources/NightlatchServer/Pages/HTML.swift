/// HTML text. Interpolated strings are escaped; only literals and other HTML are not.
///
/// ```swift
/// let item: HTML = #"<a href="\#(address)">\#(name)</a>"#
/// ```
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package init(stringLiteral literal: String) { text = literal }

    package init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: String) { text += value.htmlEscaped }

        package mutating func appendInterpolation(_ value: Int) { text += String(value) }

        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Adds nothing for nil.
        package mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

        /// Adds the items one after another.
        package mutating func appendInterpolation(_ items: [HTML]) { for item in items { text += item.text } }
    }
}

extension String {
    /// The text, with escapes for the characters that have a meaning in HTML text and attributes.
    ///
    /// Works on scalars: `<` with a combining mark is another character than `<`, but a browser still parses it as `<`.
    package var htmlEscaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
