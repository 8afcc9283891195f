import NightlatchRelyingParty
import Testing

@Suite("Texts for searches")
struct SearchTextTests {
    @Test(
        "Texts that differ only in case are alike, in every script",
        arguments: [
            ["Straße", "STRASSE", "strasse", "Strasse"], ["ΣΟΦΟΣ", "σοφος", "σοφοσ"], ["\u{C9}", "e\u{301}", "\u{E9}"],
            ["Ǆ", "ǅ", "ǆ"], ["Ꭰ", "ꭰ"], ["ﬁ", "FI"], ["Ω", "\u{2126}", "ω"], ["\u{1F88}", "\u{1F00}\u{345}"],
        ])
    func alike(texts: [String]) {
        let folded = Set(texts.map { Array(SearchText($0).folded.utf8) })
        #expect(folded.count == 1)
    }

    @Test("Texts with other letters or accents differ")
    func different() {
        for (left, right) in [("e", "é"), ("a", "ä"), ("o", "0"), ("ss", "s")] {
            #expect(SearchText(left) != SearchText(right))
        }
    }

    @Test("Folding a folded text changes nothing, and no text becomes empty")
    func stable() {
        for value in UInt32(1)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = SearchText(String(scalar)).folded
            guard folded.isEmpty || Array(SearchText(folded).folded.utf8) != Array(folded.utf8) else { continue }
            Issue.record("U+\(String(value, radix: 16))")
        }
    }
}
