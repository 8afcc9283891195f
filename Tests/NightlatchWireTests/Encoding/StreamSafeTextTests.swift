import NightlatchWire
import Testing

@Suite("Texts that are cheap to compare")
struct StreamSafeTextTests {
    @Test("At most 30 characters in a row combine with the one before them")
    func longestRun() {
        let marks = String(repeating: "\u{302}\u{323}", count: 15)
        for text in ["", "naïve", "夜行列車", "a" + marks, marks, "a" + marks + "b" + marks] {
            #expect(StreamSafeText.accepts(text), "\(text.unicodeScalars.count)")
        }
        for text in ["a" + marks + "\u{301}", marks + marks, "u" + String(repeating: "\u{302}", count: 16_000)] {
            #expect(!StreamSafeText.accepts(text), "\(text.unicodeScalars.count)")
        }
    }

    @Test("A request has no longer rows, escaped or not, but a stored text may have")
    func requests() throws {
        for mark in ["\u{302}", #"\u0302"#] {
            let long = "[\"u" + String(repeating: mark, count: 31) + "\"]"
            #expect(throws: StrictJSONError.self) {
                try StrictJSON.decode([String].self, from: Array(long.utf8), limits: .request)
            }
            let stored = try StrictJSON.decode([String].self, from: Array(long.utf8))
            #expect(stored[0].unicodeScalars.count == 32)
            let short = "[\"u" + String(repeating: mark, count: 30) + "\"]"
            #expect(try StrictJSON.decode([String].self, from: Array(short.utf8), limits: .request).count == 1)
        }
    }
}
