import NightlatchRelyingParty

/// The number of rows of a list, the jumps in it, and its export.
struct ListPages: Sendable {
    /// The filter and the order, for the caption of the table.
    let caption: String
    /// Places within the list, by the first letter of its rows.
    let letters: [ConsolePage.Link]
    /// The first page, and the next one.
    let links: [ConsolePage.Link]
    let exportAction: String
    /// The filter, for the export.
    let exportFields: [Fact]

    /// The letters to jump to, with the text by which the rows are ordered.
    static let letters: [(shown: String, text: String)] =
        [("0–9", "0")] + "abcdefghijklmnopqrstuvwxyz".map { ($0.uppercased(), String($0)) } + [("Others", "{")]
}

extension BoundedCount {
    /// The number with its noun, such as `1,234 devices`.
    func inWords(_ one: String, _ many: String) -> String {
        isMore ? "More than \(value.grouped) \(many)" : "\(value.grouped) \(value == 1 ? one : many)"
    }
}

extension Int {
    /// The number with a comma before each group of three digits.
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
