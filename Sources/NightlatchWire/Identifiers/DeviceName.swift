/// What a person calls a device: 1 to 64 characters in at most 256 bytes of UTF-8, of which at least one can be seen.
///
/// Refused are control characters, line and paragraph separators, and the characters that turn the direction of text, with which
/// a list could be made to show something else than was sent. All else may be in a name: emoji that are joined, and characters
/// that this version of the system does not know.
public typealias DeviceName = Identifier<DeviceNameRule>

public enum DeviceNameRule: IdentifierRule {
    public static let name = "device name"

    public static func accepts(_ text: String) -> Bool {
        ShownText.accepts(text, characterCounts: 1...64, byteCountLimit: 256)
    }
}
