import Foundation
public import NightlatchWire

/// The key with which an operator signs in to the console: 32 random bytes in `Base64URL`. It is a secret; only
/// `Identifier/rawValue` tells it.
public typealias AdminKey = Identifier<AdminKeyRule>

public enum AdminKeyRule: BinaryIdentifierRule {
    public static let name = "admin key"
    public static let byteCount = 32
    public static var isSecret: Bool { true }
}

extension Identifier where Rule == AdminKeyRule {
    /// The key at `path`; a new one is made there, readable by its owner alone, if there is none yet.
    ///
    /// - Throws: ``SecretFileError``. A new file is there whole or not at all, also after a crash.
    public static func loadOrCreate(at path: String) throws(SecretFileError) -> AdminKey {
        let text = try SecretFile(path: path).readOrCreate { AdminKey.random().rawValue }
        guard let key = AdminKey(text: text) else { throw .malformed }
        return key
    }

    /// Reads a key as it stands in a file, in the environment or where a person has pasted it: white space around it is allowed. Nil
    /// for anything else.
    public init?(text: String) {
        self.init(rawValue: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
