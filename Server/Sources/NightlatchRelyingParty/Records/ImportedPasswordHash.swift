import NightlatchWire

/// A password hash that another system made, in one of the forms in which systems export them.
///
/// | form | text |
/// |---|---|
/// | Argon2id | `$argon2id$v=19$m=65536,t=3,p=4$SALT$HASH`, the [PHC string format][PHC] |
/// | bcrypt | `$2b$12$` and 53 characters; also `$2a$` and `$2y$`, which are the same function |
/// | PBKDF2 | `$pbkdf2-sha256$29000$SALT$HASH`, also `$pbkdf2-sha512$` and `$pbkdf2$` (SHA-1), as in passlib |
/// | PBKDF2 | `pbkdf2_sha256$600000$SALT$HASH`, also `pbkdf2_sha1$`, as in Django |
///
/// [PHC]: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md
///
/// Parsing is strict, and bounds the work of one check to 64 MiB and about 0.2 seconds of one processor core, measured
/// on x86-64. This is up to eight times a derivation of the default hash. The server verifies the hash when the user
/// next presents a password. If the password is right, the server replaces the hash by one of its own, see
/// ``StoredPassword``.
public struct ImportedPasswordHash: Hashable, Sendable {
    /// The function that made a hash.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        case argon2id, bcrypt, pbkdf2
    }

    /// The text, as the other system exported it. It is ASCII, at most 512 bytes long.
    ///
    /// It is a secret: an attacker can test passwords against it.
    public let text: String
    let recipe: Recipe

    /// The parts of the text.
    enum Recipe: Hashable, Sendable {
        case argon2id(Argon2idHash)
        case bcrypt(BcryptHash)
        case pbkdf2(PBKDF2Hash)
    }

    /// The parameters of an Argon2id hash.
    struct Argon2idHash: Hashable, Sendable {
        let memoryKibibytes: Int
        let passes: Int
        let lanes: Int
        let salt: [UInt8]
        let hash: [UInt8]
    }

    /// The parts of a bcrypt hash, in bcrypt's alphabet.
    struct BcryptHash: Hashable, Sendable {
        /// Two digits.
        let cost: String
        /// 22 characters.
        let salt: String
        /// 31 characters.
        let hash: String
    }

    /// The parameters of a PBKDF2 hash.
    struct PBKDF2Hash: Hashable, Sendable {
        enum Function: Hashable, Sendable {
            case sha1, sha256, sha512
        }

        let function: Function
        let iterations: Int
        let salt: [UInt8]
        let hash: [UInt8]
    }

    /// Parses a hash.
    ///
    /// - Throws: ``ImportedPasswordHashError``. Import the user without the hash, and let the user set a password.
    public init(_ text: String) throws(ImportedPasswordHashError) {
        recipe = try Recipe(parsing: text)
        self.text = text
    }

    public var form: Form {
        switch recipe {
        case .argon2id: .argon2id
        case .bcrypt: .bcrypt
        case .pbkdf2: .pbkdf2
        }
    }
}

extension ImportedPasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The form only, so that no log or message contains the hash.
    public var description: String { "\(form.rawValue) hash" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why a text is not accepted as an ``ImportedPasswordHash``.
public enum ImportedPasswordHashError: Error, Hashable, Sendable {
    /// The text begins like no form that the server verifies.
    case unknownForm
    /// The text begins like a hash of this form, and is not one.
    case malformed(ImportedPasswordHash.Form)
    /// Checking a password against the hash would take too much time or memory.
    case tooCostly(ImportedPasswordHash.Form)
}

extension ImportedPasswordHashError: CustomStringConvertible {
    /// The rule that the text breaks, without a part of the text.
    public var description: String {
        switch self {
        case .unknownForm: "must be a hash of Argon2id, bcrypt or PBKDF2 in a form that this server verifies"
        case .malformed(.argon2id):
            "must have the form $argon2id$v=19$m=…,t=…,p=…$SALT$HASH, with a salt of 8 to 64 and a hash of 16 to 64 bytes"
        case .malformed(.bcrypt): "must be $2a$, $2b$ or $2y$, a cost of two digits, $ and 53 characters"
        case .malformed(.pbkdf2):
            "must be a PBKDF2 hash in the form of passlib or Django, with a salt of 1 to 64 bytes and a whole hash"
        case .tooCostly(.argon2id):
            "must cost at most 64 MiB, 64 passes, 16 lanes, and 192 MiB for memory times passes"
        case .tooCostly(.bcrypt): "must have a cost of at most 12"
        case .tooCostly(.pbkdf2):
            "must have at most 1000000 iterations, or 400000 with SHA-512"
        }
    }
}
