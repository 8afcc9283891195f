import Foundation
import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

/// A text table for people.
package struct Table {
    /// The cells. Their characters are already escaped, since the column width must count the escapes.
    private var rows: [[String]]

    package init(_ headings: String...) {
        rows = [headings]
    }

    package mutating func add(_ cells: String...) { rows.append(cells.map(\.withEscapes)) }

    /// The headings and rows, with each column as wide as its widest cell in a terminal.
    package var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { Self.width(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - Self.width(of: cell))
            }
            return String(cells.joined(separator: "  ").trimmingSuffix(" "))
        }
    }

    func print() {
        for line in lines { StandardStream.writeLine(line, to: .standardOutput) }
    }

    private static func width(of cell: String) -> Int { TerminalText(cell).width }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self[...]
        while rest.last == character { rest = rest.dropLast() }
        return rest
    }
}

extension NumericDate {
    /// The time in the format of tables.
    var shown: String { date.formatted(.iso8601) }
}

extension Encodable {
    /// Prints this value to stdout as one line of JSON. Characters that a terminal would interpret or hide are escaped.
    func printJSON() {
        let text = String(decoding: StrictJSON.encode(self), as: UTF8.self)
        StandardStream.writeLine(text.withEscapes, to: .standardOutput)
    }
}
