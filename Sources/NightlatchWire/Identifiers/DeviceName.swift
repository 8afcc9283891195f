/// A user's name for a device: 1 to 64 characters in at most 256 bytes of UTF-8, at least one of them visible.
///
/// The rule refuses control characters, line and paragraph separators, characters that change the direction of text,
/// and invisible characters. With such characters, a list of devices could display a different name from the one that
/// was sent. Everything else is allowed, such as emoji sequences and characters that this version of the system does
/// not know.
public typealias DeviceName = Identifier<DeviceNameRule>

public enum DeviceNameRule: ShownTextRule {
    public static let name = "device name"
    /// The maximum number of characters.
    public static let characterCountLimit = 64
}

/// The grammar of texts that are shown to a user.
///
/// A text has up to ``characterCountLimit`` characters in up to four times as many bytes of UTF-8. The same characters
/// are allowed as in a ``DeviceName``.
public protocol ShownTextRule: IdentifierRule {
    static var characterCountLimit: Int { get }
}

extension ShownTextRule {
    public static var requirement: String {
        """
        1 to \(characterCountLimit) characters in at most \(byteCountLimit) bytes of UTF-8, at least one of them \
        visible, without characters that are controls, are invisible or change the text direction
        """
    }

    public static func accepts(_ text: String) -> Bool {
        ShownText.accepts(text, characterCounts: 1...characterCountLimit, byteCountLimit: byteCountLimit)
    }

    public static func acceptsStored(_ text: String) -> Bool {
        ShownText.acceptsStored(text, characterCounts: 1...characterCountLimit, byteCountLimit: byteCountLimit)
    }

    /// The maximum number of bytes of UTF-8.
    public static var byteCountLimit: Int { 4 * characterCountLimit }
}
