import Foundation
import Nightlatch
import Testing

@Suite("Typed recovery phrase")
struct TypedRecoveryPhraseTests {
    private static let right = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test(
        "White space and capitals do not matter",
        arguments: [
            right.uppercased(),
            "  \t" + right.replacing(" ", with: "  \r\n\t\u{B}\u{C} ") + "\n\n",
            right.split(separator: " ").map(\.capitalized).joined(separator: "\n"),
            // Pasted text: spaces, dashes and marks of other kinds, and a soft hyphen inside a word.
            right.replacing(" ", with: "\u{A0}"), right.replacing(" ", with: "\u{2003}\u{200B}"),
            right.replacing(" ", with: "-"),
            right.replacing(" ", with: " \u{2013} "), right.replacing(" ", with: "\u{200B}"),
            "\u{FEFF}\u{202A}" + right + "\u{202C}",
            right.replacing("thank", with: "th\u{AD}a\u{2060}nk").replacing(" ", with: "\u{3000}"),
            String(repeating: " ", count: RecoveryPhrase.typedByteLimit - right.utf8.count) + right,
        ])
    func tolerance(text: String) throws {
        #expect(try RecoveryPhrase(text).text == Self.right)
    }

    @Test(
        "A mistyped word is reported by its position, with the likely words",
        arguments: [
            // A letter is missing, added, replaced, or swapped with the next.
            ("lgal", ["legal"]),
            ("leegal", ["legal", "illegal"]),
            ("lehal", ["legal", "deal", "leaf"]),
            ("elgal", ["legal", "equal"]),
            ("wrod", ["wood", "word"]),
            // Two mistakes.
            ("abandomm", ["abandon"]),
            ("Ábility", ["ability"]),
            ("legal,", ["legal"]),
            // The first four letters are enough, whatever follows.
            ("aban", ["abandon"]),
            ("abandoned", ["abandon"]),
            ("hourse", ["hour", "course", "horse"]),
            ("CATTLES", ["cattle", "battle", "castle"]),
            // Nearer words come first, equally near words in the order of the list, and at most three.
            ("tabel", ["label", "table", "able"]),
            ("fis", ["fish", "fit", "fix"]),
            // No word is near.
            ("qqqq", []),
            ("1234567", []),
            ("abandonabandon", []),
            ("ａｂａｎｄｏｎ", []),
            ("\u{2800}abandon", []),
            ("abandon\0", ["abandon"]),
            ("\0", []),
        ] as [(String, [String])])
    func typo(word: String, candidates: [String]) throws {
        for position in [1, 7, 12] {
            var words = Self.right.split(separator: " ").map(String.init)
            words[position - 1] = word
            let unknown = try unknownWords(words.joined(separator: " "))
            #expect(unknown.map(\.position) == [position])
            #expect(unknown.first?.candidates == candidates)
        }
    }

    @Test("All mistyped words are reported at once")
    func severalTypos() throws {
        let unknown = try unknownWords(
            "legal winnre thank year wave sausage wort useful legal winner thank yellwo")
        #expect(unknown.map(\.position) == [2, 7, 12])
        #expect(unknown.map(\.candidates.first) == ["winner", "worth", "yellow"])
    }

    @Test(
        "Any count but 12 and 24 is refused, even 15, 18 and 21",
        arguments: [0, 1, 3, 9, 11, 13, 15, 18, 21, 23, 25, 200])
    func wrongCount(count: Int) {
        #expect(throws: RecoveryPhraseError.wordCount(count, unknown: [])) {
            _ = try RecoveryPhrase(Array(repeating: "zoo", count: count).joined(separator: " "))
        }
    }

    @Test("A word that was split in two is reported by count and by position")
    func brokenWord() throws {
        do throws(RecoveryPhraseError) {
            _ = try RecoveryPhrase(Self.right.replacing("sausage", with: "saus age"))
            Issue.record("13 words are no phrase")
        } catch {
            guard case .wordCount(13, let unknown) = error else { throw error }
            #expect(unknown.map(\.position) == [6])
            #expect(unknown.map(\.candidates) == [["sausage"]])
        }
    }

    @Test("If there are too many words, only the first 24 are checked")
    func manyUnknownWords() throws {
        do throws(RecoveryPhraseError) {
            _ = try RecoveryPhrase(Array(repeating: "zo", count: 300).joined(separator: " "))
            Issue.record("300 words are no phrase")
        } catch {
            guard case .wordCount(300, let unknown) = error else { throw error }
            #expect(unknown.map(\.position) == Array(1...24))
        }
    }

    @Test(
        "Words of the list with a wrong checksum are reported as such",
        arguments: [
            "legal winner thank year wave sausage worth useful legal winner thank year",
            "winner legal thank year wave sausage worth useful legal winner thank yellow",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo",
            Array(repeating: "abandon", count: 24).joined(separator: " "),
        ])
    func checksum(text: String) {
        #expect(throws: RecoveryPhraseError.checksum) { _ = try RecoveryPhrase(text) }
    }

    @Test("As last word, one word in 16 fits eleven others, and one in 256 fits 23")
    func checksumStrength() throws {
        let words = try String(contentsOfFile: BIP39Vector.wordListPath, encoding: .utf8).split(separator: "\n")
        for (count, expected) in [(12, 128), (24, 8)] {
            let start = Array(repeating: "zoo", count: count - 1).joined(separator: " ")
            let fitting = words.filter { word in
                do throws(RecoveryPhraseError) {
                    _ = try RecoveryPhrase("\(start) \(word)")
                    return true
                } catch {
                    #expect(error == .checksum)
                    return false
                }
            }
            #expect(fitting.count == expected)
        }
    }

    @Test("More than 1,024 bytes are refused without reading them", arguments: [" ", "a", "\0", "é"])
    func tooLong(filling: String) {
        let text = Self.right + " " + String(repeating: filling, count: 1_024)
        #expect(throws: RecoveryPhraseError.tooLong(byteLimit: 1_024)) { _ = try RecoveryPhrase(text) }
    }

    @Test("Bytes that are not text are words that are not in the list")
    func noText() throws {
        do throws(RecoveryPhraseError) {
            _ = try RecoveryPhrase(
                typed: SecretBytes(copying: Array(Self.right.utf8.dropLast(6)) + [0xFF, 0xC0, 0x80]))
            Issue.record("bytes are no word")
        } catch {
            guard case .unknownWords(let unknown) = error else { throw error }
            #expect(unknown.map(\.position) == [12])
        }
    }

    @Test("An error's text and mirror contain positions, never words")
    func redaction() throws {
        let unknown = try unknownWords(Self.right.replacing("sausage", with: "sausaeg"))
        #expect(unknown.first?.candidates == ["sausage"])
        let error = RecoveryPhraseError.unknownWords(unknown)
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped] {
            #expect(text.contains("6") && !text.contains("saus"), "\(text)")
        }
    }

    private func unknownWords(_ text: String) throws -> [UnknownRecoveryWord] {
        do throws(RecoveryPhraseError) {
            _ = try RecoveryPhrase(text)
            Issue.record("no word is unknown")
            return []
        } catch {
            guard case .unknownWords(let unknown) = error else { throw error }
            return unknown
        }
    }
}
