import Foundation
import Testing

/// The text of a screen as documents show it: without the blank lines and columns around it.
struct DocumentedScreen: Equatable {
    let lines: [String]

    init(_ text: String) {
        let all = text.components(separatedBy: "\n").map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        let shown = all.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
        let margin = shown.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        lines = shown.map { String($0.dropFirst(margin)) }
    }

    /// Finds the text block that contains `text` in a document of the package.
    init(containing text: String, in path: String) throws {
        let document = try String(contentsOfFile: PythonEnvironment.root + "/" + path, encoding: .utf8)
        let blocks = document.components(separatedBy: "```text\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        self.init(try #require(blocks.first { $0.contains(text) }))
    }
}
