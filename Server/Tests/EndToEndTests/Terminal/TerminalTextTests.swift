import NightlatchCommand
import Testing

@Suite("Text at a terminal")
struct TerminalTextTests {
    @Test(
        "Lines break between words, and inside words that are too long, by columns",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]), ("a  b", 5, ["a b"]),
            ("夜行列車", 5, ["夜行", "列車"]), ("", 5, []), ("ab cdefg", 4, ["ab", "cdef", "g"]),
        ])
    func wrapping(text: String, columns: Int, expected: [String]) {
        #expect(TerminalText(text).wrapped(to: columns) == expected)
    }

    @Test(
        "Characters that a terminal would obey are replaced",
        arguments: ["\u{1B}", "\u{9B}", "\r", "\u{202E}", "\u{2066}", "\u{0}", "\u{2028}"])
    func harmless(character: String) {
        #expect(TerminalText("a\(character)b").characters == "a?b")
    }
}
