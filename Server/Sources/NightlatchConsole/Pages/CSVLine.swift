import NightlatchRelyingParty

/// A line of a file with comma-separated values ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)).
///
/// Users choose the names of their devices. A spreadsheet takes a cell that begins with one of some signs for a
/// formula, so such a cell gets an apostrophe before it, as
/// [OWASP](https://owasp.org/www-community/attacks/CSV_Injection) advises. Every cell is in quotes, so that no content
/// begins another cell.
enum CSVLine {
    /// The signs with which a formula begins, also in the wide forms of East Asian texts, and those that spreadsheets
    /// skip before it.
    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// Returns the line with its end.
    static func text(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    private static func cell(_ text: String) -> String {
        var cell = "\""
        if let first = text.unicodeScalars.first(where: { $0 != " " }), formulaSigns.contains(first) { cell += "'" }
        for scalar in text.unicodeScalars {
            if scalar == "\"" { cell += "\"" }
            cell.unicodeScalars.append(scalar)
        }
        return cell + "\""
    }
}
