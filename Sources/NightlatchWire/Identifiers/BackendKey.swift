/// The key that authenticates the app's backend to the relying party.
public typealias BackendKey = Identifier<BackendKeyRule>

public enum BackendKeyRule: OpaqueTokenRule {
    public static let name = "backend key"
    /// The smallest length of a key in a file, in characters: 128 bits in `Base64URL`.
    public static let characterCountMinimum = 22
}

extension Identifier where Rule == BackendKeyRule {
    /// Parses the text of a file with a key: its first line that is not empty.
    ///
    /// Returns nil if that line is no key. The reader of the file must refuse a key that ``isTooShort``.
    public init?(fileText text: String) {
        guard let line = text.split(whereSeparator: \.isNewline).first else { return nil }
        self.init(rawValue: String(line))
    }

    /// Whether the key is so short that it can be guessed: shorter than ``BackendKeyRule/characterCountMinimum``.
    public var isTooShort: Bool { rawValue.utf8.count < BackendKeyRule.characterCountMinimum }
}
