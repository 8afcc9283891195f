import Foundation
import NightlatchCommand
import Testing

@Suite("Tables at a terminal")
struct TableTests {
    @Test(
        "The second column starts at the same position in each line, whatever the first column contains",
        arguments: ["Ann", "a\u{200D}b", "\u{202E}evil", "夜行列車", "👨\u{200D}👩\u{200D}👧", "\u{7}"])
    func alignment(name: String) throws {
        var table = Table("NAME", "STATE")
        table.add(name, "active")
        table.add("somebody with a long name", "blocked")
        let starts = try zip(table.lines, ["STATE", "active", "blocked"]).map { line, state in
            TerminalText(String(line[..<(try #require(line.range(of: state)).lowerBound)])).width
        }
        #expect(Set(starts) == [27])
        #expect(
            table.lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .format }
            })
    }

    @Test("A joiner is printed as its escape, once")
    func escapes() {
        var table = Table("NAME", "STATE")
        table.add("a\u{200D}b", "active")
        #expect(table.lines == ["NAME      STATE", #"a\u200db  active"#])
    }
}
