/// What a person calls a device: 1 to 64 characters in at most 256 bytes of UTF-8, of which at least one can be seen.
///
/// Refused are control characters, line and paragraph separators, characters that change the direction of text, and those that are in
/// a text without being seen: with them a list could be made to show something else than was sent. All else may be in a name: emoji
/// that are joined, and characters that this version of the system does not know.
public typealias DeviceName = Identifier<DeviceNameRule>

public enum DeviceNameRule: ShownTextRule {
    public static let name = "device name"
    /// The most characters.
    public static let characterCountLimit = 64
}

/// The kinds of text that a person is shown: up to ``characterCountLimit`` characters in up to four times as many bytes of UTF-8, of the
/// kind of a ``DeviceName``.
public protocol ShownTextRule: IdentifierRule {
    static var characterCountLimit: Int { get }
}

extension ShownTextRule {
    public static var requirement: String {
        """
        1 to \(characterCountLimit) characters in at most \(byteCountLimit) bytes of UTF-8, at least one of which can be seen, and none \
        of which is a control, is hidden or changes the direction of text
        """
    }

    public static func accepts(_ text: String) -> Bool {
        ShownText.accepts(text, characterCounts: 1...characterCountLimit, byteCountLimit: byteCountLimit)
    }

    public static func acceptsStored(_ text: String) -> Bool {
        ShownText.acceptsStored(text, characterCounts: 1...characterCountLimit, byteCountLimit: byteCountLimit)
    }

    /// The most bytes of UTF-8.
    public static var byteCountLimit: Int { 4 * characterCountLimit }
}
