import Crypto

/// A password as stored: its Argon2id hash with salt and parameters, or a hash that was imported from another system.
///
/// An imported password is stored in the same members, so that an earlier release that shares the database refuses
/// every attempt, and replaces the password like any other: ``hash`` is then the SHA-256 of the imported text, which is
/// no output of Argon2id, ``salt`` is random, and the parameters are the default ones.
public struct StoredPassword: Hashable, Sendable {
    /// 32 bytes.
    public let hash: [UInt8]
    /// 16 random bytes.
    public let salt: [UInt8]
    public let memoryKibibytes: Int
    public let passes: Int
    public let lanes: Int
    /// The imported hash, which stores keep as its text; nil for a hash that the server made.
    public let imported: ImportedPasswordHash?

    public init(hash: [UInt8], salt: [UInt8], memoryKibibytes: Int, passes: Int, lanes: Int) {
        self.hash = hash
        self.salt = salt
        self.memoryKibibytes = memoryKibibytes
        self.passes = passes
        self.lanes = lanes
        imported = nil
    }

    /// Creates a password from the members that a store has kept, and the text of ``imported``, if any.
    ///
    /// An earlier release that replaces the password leaves the imported text in the database. ``hash`` is then not the
    /// hash of the text, and the text is ignored.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` if the text is no imported hash.
    public init(
        hash: [UInt8], salt: [UInt8], memoryKibibytes: Int, passes: Int, lanes: Int, importedText text: String?
    ) throws(RelyingPartyStoreError) {
        if let text, Self.hash(of: text) == hash {
            do {
                imported = try ImportedPasswordHash(text)
            } catch {
                throw RelyingPartyStoreError(.corrupt)
            }
        } else {
            imported = nil
        }
        self.hash = hash
        self.salt = salt
        self.memoryKibibytes = memoryKibibytes
        self.passes = passes
        self.lanes = lanes
    }

    /// Creates a password from a hash of another system.
    ///
    /// The salt is random, so that two imports of one hash are different passwords.
    public init(importing hash: ImportedPasswordHash) {
        self.hash = Self.hash(of: hash.text)
        salt = RandomBytes.make(count: 16)
        // The cost of `PasswordHashing.default`: an earlier release then takes as long as for other passwords.
        memoryKibibytes = 19 * 1024
        passes = 2
        lanes = 1
        imported = hash
    }

    private static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}
