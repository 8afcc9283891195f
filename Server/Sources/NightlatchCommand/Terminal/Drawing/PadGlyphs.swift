/// The characters of a drawn pad.
struct PadGlyphs: Sendable {
    let filledCircle: String
    let openCircle: String
    /// The labels of the keys beside the last digit, three columns wide.
    let delete: String
    let submit: String
    let top: Rule
    let between: Rule
    let bottom: Rule
    let horizontal: String
    let vertical: String
    let control: String

    /// A line between two rows of keys: its ends, and its crossings with the lines between columns.
    struct Rule: Sendable {
        let left: String
        let middle: String
        let right: String
    }

    static let unicode = PadGlyphs(
        filledCircle: "●", openCircle: "○", delete: " ⌫ ", submit: " ⏎ ", top: Rule(left: "╭", middle: "┬", right: "╮"),
        between: Rule(left: "├", middle: "┼", right: "┤"), bottom: Rule(left: "╰", middle: "┴", right: "╯"),
        horizontal: "─", vertical: "│", control: "⌃")

    static let ascii = PadGlyphs(
        filledCircle: "*", openCircle: ".", delete: "DEL", submit: "OK ", top: .asciiRule, between: .asciiRule,
        bottom: .asciiRule, horizontal: "-", vertical: "|", control: "^")
}

extension PadGlyphs.Rule {
    fileprivate static let asciiRule = PadGlyphs.Rule(left: "+", middle: "+", right: "+")
}
