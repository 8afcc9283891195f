import Crypto
import Foundation
import NightlatchWire
import Testing

@Suite("Enrolment codes")
struct EnrolmentCodeTests {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Makes codes by the documented rule, without the code under test; the same codes in every run. A code has 16
    /// symbols, then four that are the low five bits of the first bytes of a SHA-256 over a label and those 16.
    static func codes(_ count: Int, seed: UInt64) -> [String] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let symbols = String((0..<16).map { _ in alphabet[Int(generator.next() & 31)] })
            let digest = SHA256.hash(data: Data(("nightlatch enrolment code" + symbols).utf8))
            return symbols + String(digest.prefix(4).map { alphabet[Int($0 & 31)] })
        }
    }

    @Test("A code follows the documented rule")
    func rule() {
        for text in Self.codes(200, seed: 1) { #expect(EnrolmentCode(text)?.canonicalText == text) }
    }

    @Test("A code is read in its grouped and its stored form")
    func roundTrip() throws {
        let codes = (0..<500).map { _ in EnrolmentCode.random() }
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.groupedText.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}/) != nil)
            #expect(EnrolmentCode(code.groupedText) == code)
            #expect(EnrolmentCode(code.canonicalText) == code)
            #expect(try StrictJSON.decode(EnrolmentCode.self, from: StrictJSON.encode(code)) == code)
        }
    }

    @Test("A code is read in every usual spelling")
    func waysOfWriting() throws {
        for text in Self.codes(200, seed: 2) {
            let code = try #require(EnrolmentCode(text))
            let written = [
                text.lowercased(), code.groupedText.lowercased(), code.groupedText.replacing("-", with: " "),
                code.groupedText.replacing("-", with: " - "), "  \(text)  ", "-\(text)-",
                text.replacing("0", with: "O"), text.replacing("0", with: "o"), text.replacing("1", with: "I"),
                text.replacing("1", with: "i"), text.replacing("1", with: "L"), text.replacing("1", with: "l"),
                text.map { "\($0)" }.joined(separator: " "),
            ]
            for way in written { #expect(EnrolmentCode(way)?.canonicalText == text, "\(way)") }
        }
    }

    @Test("A pasted code is read with any spaces, dashes and invisible characters")
    func pasted() throws {
        for text in Self.codes(20, seed: 6) {
            let code = try #require(EnrolmentCode(text))
            for separator in [
                "\u{A0}", "\u{202F}", "\u{2003}", "\u{3000}", "\t", "\r\n", "\u{2010}", "\u{2011}", "\u{2013}",
                "\u{2014}", "\u{2212}",
                "\u{FF0D}", "\u{200B}", "\u{200D}", "\u{AD}", "\u{2060}", "\u{FEFF}", "\u{202A}", "\u{FE0F}",
                "\u{E0020}",
            ] {
                let pasted = separator + code.groupedText.replacing("-", with: separator) + separator
                #expect(EnrolmentCode(pasted) == code, "\(separator.unicodeScalars)")
            }
        }
    }

    @Test("A code with similar or compatible characters is refused")
    func strangeCharacters() throws {
        for text in Self.codes(300, seed: 3) {
            for (symbol, twin) in [
                ("K", "\u{212A}"), ("0", "\u{FF10}"), ("1", "\u{131}"), ("S", "\u{17F}"), ("A", "\u{391}"),
            ]
            where text.contains(symbol) {
                #expect(EnrolmentCode(text.replacing(symbol, with: twin)) == nil)
            }
            for extra in ["_", ".", "\u{301}", "\u{F8FF}", "\u{2800}"] { #expect(EnrolmentCode(text + extra) == nil) }
        }
    }

    @Test(
        "A text that is not a code is refused",
        arguments: [
            "", " ", "-", "0000", "0000-0000-0000-0000", "0000-0000-0000-0000-0000", "UUUU-UUUU-UUUU-UUUU-UUUU",
            String(repeating: "0", count: 64), String(repeating: "-", count: 257),
        ]
    )
    func noCode(text: String) {
        #expect(EnrolmentCode(text) == nil)
    }

    @Test("A code with a missing or additional symbol, or with more than 256 bytes, is refused")
    func wrongLength() throws {
        for text in Self.codes(50, seed: 4) {
            #expect(EnrolmentCode(String(text.dropLast())) == nil)
            #expect(EnrolmentCode(String(text.dropFirst())) == nil)
            #expect(EnrolmentCode(text + "0") == nil)
            #expect(EnrolmentCode("0" + text) == nil)
            #expect(EnrolmentCode(text + String(repeating: " ", count: 236)) != nil)
            #expect(EnrolmentCode(text + String(repeating: " ", count: 237)) == nil)
        }
    }

    /// The check has 20 bits. A slip in the 16 random symbols passes with probability 2⁻²⁰, about one in a million. A
    /// slip in the check itself never passes. Of the 25,000 changes and 750 swaps here fewer than 0.03 are expected to
    /// pass. Because the codes are the same in every run, none does.
    @Test("Every single wrong symbol and every swap of neighbours is detected")
    func slips() {
        for text in Self.codes(40, seed: 5) {
            let symbols = Array(text)
            for place in symbols.indices {
                for wrong in Self.alphabet where wrong != symbols[place] {
                    var slip = symbols
                    slip[place] = wrong
                    #expect(EnrolmentCode(String(slip)) == nil)
                }
            }
            for place in symbols.indices.dropLast() where symbols[place] != symbols[place + 1] {
                var slip = symbols
                slip.swapAt(place, place + 1)
                #expect(EnrolmentCode(String(slip)) == nil)
            }
        }
    }
}
