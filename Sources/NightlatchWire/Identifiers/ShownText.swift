/// Which texts may be shown to a person as they are: nothing in them makes a screen show something else than was sent.
enum ShownText {
    /// Whether `text` has so many characters in so many bytes of UTF-8, at least one of them can be seen, and none is hidden.
    ///
    /// Refused are controls, line separators, characters that change the direction of text, and those that are in a text
    /// without being seen. Joiners and variation selectors are taken, since emoji and several scripts need them, and so are
    /// characters that this version of the system does not know.
    static func accepts(_ text: String, characterCounts: ClosedRange<Int>, byteCountLimit: Int) -> Bool {
        guard text.utf8.count <= byteCountLimit else { return false }
        if text.hasOnly({ $0.match(" "..."~") }) {
            // Each of these is a character by itself, and most texts are of them alone.
            return characterCounts.contains(text.utf8.count) && !text.hasOnly { $0.match(" ") }
        }
        return characterCounts.contains(text.count)
            && !withoutTaggedFlags(text).contains(where: \.isHidden)
            && text.unicodeScalars.contains { !$0.isHidden && !$0.isBlank }
    }

    /// What the first version of ``accepts(_:characterCounts:byteCountLimit:)`` took, and stores may hold.
    static func acceptsStored(_ text: String, characterCounts: ClosedRange<Int>, byteCountLimit: Int) -> Bool {
        text.utf8.count <= byteCountLimit && characterCounts.contains(text.count)
            && !text.unicodeScalars.contains(where: \.turnsOrBreaksText)
    }

    /// Whether `text` has 1 to 128 code points that can each be seen, or are spaces between those.
    static func isPrintable(_ text: String) -> Bool {
        guard (1...4 * 128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: " "),
            text.utf8.last != UInt8(ascii: " ")
        else { return false }
        if text.hasOnly({ $0.match(" "..."~") }) { return text.utf8.count <= 128 }
        return text.unicodeScalars.count <= 128
            && text.unicodeScalars.allSatisfy { $0 == " " || !$0.isHidden && !$0.isBlank }
    }

    /// The code points of `text` without the tags of the three flags that are written with tags: England, Scotland and Wales.
    private static func withoutTaggedFlags(_ text: String) -> String.UnicodeScalarView {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { (0xE0020...0xE007F).contains($0.value) }) else { return scalars }
        return taggedFlags.reduce(scalars) { $0.replacing($1, with: CollectionOfOne("\u{1F3F4}")) }
    }

    private static let taggedFlags: [[Unicode.Scalar]] = ["gbeng", "gbsct", "gbwls"].map { region in
        ["\u{1F3F4}"] + region.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) } + ["\u{E007F}"]
    }
}

// Lists of our own: by the system's tables, which grow, client and server would not always agree.
extension Unicode.Scalar {
    /// Whether it is a control, ends a line, or changes the direction of text.
    fileprivate var turnsOrBreaksText: Bool {
        switch value {
        // Controls.
        case 0x00...0x1F, 0x7F...0x9F: true
        // Line and paragraph separator.
        case 0x2028, 0x2029: true
        // `Bidi_Control`: marks, embeddings and overrides, isolates
        // ([UAX #9, section 2](https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters)).
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether a text that has it may look as if it had not, or is shown otherwise than it is written.
    fileprivate var isHidden: Bool {
        if turnsOrBreaksText { return true }
        switch value {
        // Soft hyphen, grapheme joiner, zero-width space, word joiner, invisible operators, byte order mark.
        case 0x00AD, 0x034F, 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF: return true
        // Fillers of Hangul, vowels of Khmer that are not written, the vowel separator of Mongolian.
        case 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0: return true
        // Interlinear annotations and the object replacement character, with the unassigned ones before them.
        case 0xFFF0...0xFFFC: return true
        // Controls of shorthand; a note without a head, and controls of musical notation.
        case 0x1BCA0...0x1BCA3, 0x1D159, 0x1D173...0x1D17A: return true
        // Tags and what is unassigned beside them. Variation selectors are between the two.
        case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: return true
        // Noncharacters: U+FDD0 to U+FDEF, and the last two of each plane.
        case 0xFDD0...0xFDEF: return true
        default: return value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether it shows nothing by itself, or what it shows is not known.
    fileprivate var isBlank: Bool {
        switch value {
        // Spaces.
        case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        // Blank signs: of Braille, of hieroglyphs, of Khitan.
        case 0x2800, 0x13441, 0x13442, 0x16FE4: true
        // Joiners and variation selectors.
        case 0x200C, 0x200D, 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        // For private use.
        case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
        default: false
        }
    }
}
