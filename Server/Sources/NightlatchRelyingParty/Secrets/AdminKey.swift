import Foundation
public import NightlatchWire

/// The key with which an operator signs in to the console: 32 random bytes in `Base64URL`.
///
/// It is a secret; only `Identifier/rawValue` reveals it.
public typealias AdminKey = Identifier<AdminKeyRule>

public enum AdminKeyRule: BinaryIdentifierRule {
    public static let name = "admin key"
    public static let byteCount = 32
    public static var isSecret: Bool { true }
}

extension Identifier where Rule == AdminKeyRule {
    /// Loads the key at `path`. If there is none yet, creates one that only its owner can read.
    ///
    /// - Throws: ``SecretFileError``. A new file is complete or absent, even after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> AdminKey {
        let text = try SecretFile(path: path).readOrCreate { AdminKey.random().rawValue }
        guard let key = AdminKey(text: text) else { throw .malformed }
        return key
    }

    /// Parses a key from a file, the environment or pasted text, ignoring white space around it.
    ///
    /// Returns nil for anything else.
    public init?(text: String) {
        self.init(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
