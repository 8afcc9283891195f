/// What texts may be shown to a person as they are: nothing in them can make a screen show something else than was sent.
enum ShownText {
    /// Whether `text` has so many characters in so many bytes of UTF-8, at least one of them can be seen, and none is a control
    /// character, a line or paragraph separator, or one that turns the direction of text. All else may be in it: emoji that
    /// are joined, and characters that this version of the system does not know.
    static func accepts(_ text: String, characterCounts: ClosedRange<Int>, byteCountLimit: Int) -> Bool {
        guard text.utf8.count <= byteCountLimit else { return false }
        if text.hasOnly({ $0.match(" "..."~") }) {
            // Each of these is a character by itself, and most texts are of them alone.
            return characterCounts.contains(text.utf8.count) && !text.hasOnly { $0.match(" ") }
        }
        return characterCounts.contains(text.count)
            && !text.unicodeScalars.contains(where: isRefused)
            && text.unicodeScalars.contains(where: isVisible)
    }

    /// A list of our own: by the system's tables, which grow, client and server would not always be of one mind.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
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

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
    }
}
