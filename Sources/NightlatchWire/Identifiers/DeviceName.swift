/// What a person calls a device: 1 to 64 characters in at most 256 bytes of UTF-8, of which at least one can be seen.
///
/// Refused are control characters, line and paragraph separators, and the characters that turn the direction of text, with which
/// a list could be made to show something else than was sent. All else may be in a name: emoji that are joined, and characters
/// that this version of the system does not know.
public typealias DeviceName = Identifier<DeviceNameRule>

public enum DeviceNameRule: IdentifierRule {
    public static let name = "device name"

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count <= 256 && (1...64).contains(text.count)
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
