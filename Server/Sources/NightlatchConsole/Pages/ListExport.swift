import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchServer
import NightlatchWire

/// A list as a file of comma-separated values. It is read page by page while it is sent, so that a page is in memory.
struct ListExport<Row: Sendable, Position: Sendable>: Sendable {
    typealias Page = AdministrationPage<Row, Position>

    let list: ExportedList
    /// The names of the columns.
    let columns: [String]
    /// Returns a page of at most as many rows as its second parameter.
    let page: @Sendable (Position?, Int) async throws(AdministrationError) -> Page
    /// Returns the cells of a row.
    let cells: @Sendable (Row) -> [String]

    private static var pageLength: Int { Administration.pageLengths.upperBound }

    /// The answer with the file.
    func response() -> Response {
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: CSVLine.text(columns)))
            var position: Position?
            // Ends: each page begins after the one before, and the last has no next one.
            repeat {
                let page = try await page(position, Self.pageLength)
                let lines = page.elements.map { CSVLine.text(cells($0)) }
                try await writer.write(ByteBuffer(string: lines.joined()))
                position = page.next
            } while position != nil
            try await writer.finish(nil)
        }
        return .download(
            "nightlatch-\(list.rawValue.replacing("_", with: "-")).csv",
            type: "text/csv; charset=utf-8; header=present",
            body: body)
    }
}
