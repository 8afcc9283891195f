/// A run of characters that look alike.
package struct PadSpan: Hashable, Sendable {
    /// What the characters are for, which says how they look.
    package enum Role: Hashable, Sendable {
        case plain, title, circle, focus, faint, wrong, countdown
    }

    package let text: String
    package let role: Role

    package init(_ text: String, _ role: Role = .plain) {
        self.text = text
        self.role = role
    }

    /// The characters with what makes a terminal show them so (ECMA-48, section 8.3.117). Nothing is told by colour alone.
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
