public import NightlatchWire

extension Identifier where Rule == BackendKeyRule {
    /// The key at `path`, with which the app's backend asks for enrolment codes; a new one (32 random bytes in `Base64URL`)
    /// is made there, readable by its owner alone, if there is none yet.
    ///
    /// - Throws: ``SecretFileError``. A new file is there whole or not at all, also after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> BackendKey {
        try parse(SecretFile(path: path).readOrCreate { Base64URL.encode(RandomBytes.make(count: 32)) })
    }

    /// The key at `path`, where there must be one.
    public static func load(from path: String) throws(SecretFileError) -> BackendKey {
        try parse(SecretFile(path: path).read())
    }

    /// How many characters a key has at least: those of 128 bits in `Base64URL`.
    private static let characterCountMinimum = 22

    private static func parse(_ text: String) throws(SecretFileError) -> BackendKey {
        guard let line = text.split(whereSeparator: \.isNewline).first, let key = BackendKey(rawValue: String(line))
        else { throw .malformed }
        guard key.rawValue.utf8.count >= characterCountMinimum else {
            throw .tooShort(characterCount: characterCountMinimum)
        }
        return key
    }
}
