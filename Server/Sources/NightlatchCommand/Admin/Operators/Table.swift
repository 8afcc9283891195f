import Foundation
import NightlatchServer
import NightlatchWire

/// Lines of columns, for people.
struct Table {
    private var rows: [[String]]

    init(_ headings: String...) {
        rows = [headings]
    }

    mutating func add(_ cells: String...) { rows.append(cells) }

    /// The headings and the rows, each column as wide as what is widest in it.
    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return String(cells.joined(separator: "  ").trimmingSuffix(" "))
        }
    }

    func print() {
        for line in lines { StandardStream.writeLine(line.withEscapes, to: .standardOutput) }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> Substring {
        var rest = self[...]
        while rest.last == character { rest = rest.dropLast() }
        return rest
    }
}

extension NumericDate {
    /// As tables show it.
    var shown: String { date.formatted(.iso8601) }
}

extension Encodable {
    /// Writes it to stdout as one line of JSON, with escapes for what a terminal would act on or not show.
    func printJSON() {
        let text = String(decoding: StrictJSON.encode(self), as: UTF8.self)
        StandardStream.writeLine(text.withEscapes, to: .standardOutput)
    }
}
