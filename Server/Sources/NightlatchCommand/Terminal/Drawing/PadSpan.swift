/// A run of characters with the same appearance.
package struct PadSpan: Hashable, Sendable {
    /// The purpose of the characters, which determines their appearance.
    package enum Role: Hashable, Sendable {
        case plain, title, circle, focus, faint, wrong, countdown
    }

    package let text: String
    package let role: Role

    package init(_ text: String, _ role: Role = .plain) {
        self.text = text
        self.role = role
    }

    /// Returns the characters with escape sequences for their appearance (ECMA-48, section 8.3.117). Colour is never
    /// the only difference.
    package func encoded(inColor hasColor: Bool) -> String {
        let attributes: String? =
            switch role {
            case .plain: nil
            case .title: "1"
            case .circle: hasColor ? "36" : nil
            case .focus: "1;7"
            case .faint: "2"
            case .wrong: hasColor ? "31" : "1"
            case .countdown: hasColor ? "33" : "1"
            }
        return attributes.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
    }
}
