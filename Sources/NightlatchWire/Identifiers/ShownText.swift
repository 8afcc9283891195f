/// Rules for texts that a screen shows to a user exactly as they were sent.
enum ShownText {
    /// Whether `text` has an allowed number of characters and bytes of UTF-8, a visible character and no hidden one.
    ///
    /// Hidden characters are controls, line separators, characters that change the direction of text, and invisible
    /// characters. Joiners and variation selectors are allowed, because emoji and several scripts need them. Characters
    /// that this version of the system does not know are allowed too.
    static func accepts(_ text: String, characterCounts: ClosedRange<Int>, byteCountLimit: Int) -> Bool {
        guard text.utf8.count <= byteCountLimit else { return false }
        if text.hasOnly({ $0.match(" "..."~") }) {
            // Each printable ASCII character is one character of Swift. Most texts contain no others.
            return characterCounts.contains(text.utf8.count) && !text.hasOnly { $0.match(" ") }
        }
        return characterCounts.contains(text.count)
            && !withoutTaggedFlags(text).contains(where: \.isHidden)
            && text.unicodeScalars.contains { !$0.isHidden && !$0.isBlank }
    }

    /// Whether the first version of ``accepts(_:characterCounts:byteCountLimit:)`` accepted `text`. Stores may contain
    /// such texts.
    static func acceptsStored(_ text: String, characterCounts: ClosedRange<Int>, byteCountLimit: Int) -> Bool {
        text.utf8.count <= byteCountLimit && characterCounts.contains(text.count)
            && !text.unicodeScalars.contains(where: \.turnsOrBreaksText)
    }

    /// Whether `text` has 1 to 128 code points that are all visible or are spaces, without a space at either end.
    static func isPrintable(_ text: String) -> Bool {
        guard (1...4 * 128).contains(text.utf8.count), text.utf8.first != UInt8(ascii: " "),
            text.utf8.last != UInt8(ascii: " ")
        else { return false }
        if text.hasOnly({ $0.match(" "..."~") }) { return text.utf8.count <= 128 }
        return text.unicodeScalars.count <= 128
            && text.unicodeScalars.allSatisfy { $0 == " " || !$0.isHidden && !$0.isBlank }
    }

    /// The code points of `text`, with each of the three flags that contain tags (England, Scotland, Wales) replaced by
    /// a flag without tags.
    private static func withoutTaggedFlags(_ text: String) -> String.UnicodeScalarView {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { (0xE0020...0xE007F).contains($0.value) }) else { return scalars }
        return taggedFlags.reduce(scalars) { $0.replacing($1, with: CollectionOfOne("\u{1F3F4}")) }
    }

    private static let taggedFlags: [[Unicode.Scalar]] = ["gbeng", "gbsct", "gbwls"].map { region in
        ["\u{1F3F4}"] + region.unicodeScalars.compactMap { Unicode.Scalar(0xE0000 + $0.value) } + ["\u{E007F}"]
    }
}

// The lists are fixed. The system's Unicode tables grow with each version, so client and server could disagree.
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

    /// Whether the character may be invisible in a text, or makes a screen show the text differently from how it is
    /// written.
    fileprivate var isHidden: Bool {
        if turnsOrBreaksText { return true }
        switch value {
        // Soft hyphen, grapheme joiner, zero-width space, word joiner, invisible operators, byte order mark.
        case 0x00AD, 0x034F, 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF: return true
        // Hangul fillers, unwritten Khmer vowels, the Mongolian vowel separator.
        case 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFFA0: return true
        // Interlinear annotations, the object replacement character, and the unassigned characters before them.
        case 0xFFF0...0xFFFC: return true
        // Shorthand controls, the musical note without a head, and musical controls.
        case 0x1BCA0...0x1BCA3, 0x1D159, 0x1D173...0x1D17A: return true
        // Tags and the unassigned characters around them. The variation selectors between the two ranges are allowed.
        case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF: return true
        // Noncharacters: U+FDD0 to U+FDEF, and the last two of each plane.
        case 0xFDD0...0xFDEF: return true
        default: return value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether the character is blank by itself, or its appearance is unknown.
    fileprivate var isBlank: Bool {
        switch value {
        // Spaces.
        case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        // Blank signs of Braille, hieroglyphs and Khitan.
        case 0x2800, 0x13441, 0x13442, 0x16FE4: true
        // Joiners and variation selectors.
        case 0x200C, 0x200D, 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        // Private use.
        case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
        default: false
        }
    }
}
