public import NightlatchWire

extension Identifier where Rule == BackendKeyRule {
    /// Loads the key at `path`, with which the backend authenticates its requests.
    ///
    /// If there is none yet, creates one (32 random bytes in `Base64URL`) that only its owner can read.
    ///
    /// - Throws: ``SecretFileError``. A new file is complete or absent, even after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> BackendKey {
        try parse(SecretFile(path: path).readOrCreate { Base64URL.encode(RandomBytes.make(count: 32)) })
    }

    /// Loads the key at `path`, which must exist. A backend that does not link this module uses
    /// `BackendKey(file:)` of `NightlatchPlatform`.
    ///
    /// - Throws: ``SecretFileError``.
    public static func load(from path: String) throws(SecretFileError) -> BackendKey {
        try parse(SecretFile(path: path).read())
    }

    private static func parse(_ text: String) throws(SecretFileError) -> BackendKey {
        guard let key = BackendKey(fileText: text) else { throw .malformed }
        guard !key.isTooShort else { throw .tooShort(characterCount: BackendKeyRule.characterCountMinimum) }
        return key
    }
}
