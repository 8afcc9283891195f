/// 32 bytes that stand for something the store must recognise and must not know. Hashes of different subjects cannot be
/// mixed up.
public struct StoredHash<Subject: StoredHashSubject>: Codable, Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }
}

/// What a ``StoredHash`` stands for.
public protocol StoredHashSubject: Sendable {}

/// HMAC-SHA256 of an enrolment code under a key that is derived from the master key. A code has 80 bits: without the key
/// nobody can test guesses against a stolen database.
public typealias EnrolmentCodeMAC = StoredHash<EnrolmentCodeSubject>

/// An enrolment code, as what a ``StoredHash`` stands for.
public enum EnrolmentCodeSubject: StoredHashSubject {}

/// SHA-256 of a whole signed message, by which a store tells the same message from another with the same challenge.
public typealias MessageHash = StoredHash<MessageSubject>

/// A whole signed message, as what a ``StoredHash`` stands for.
public enum MessageSubject: StoredHashSubject {}

/// SHA-256 of a refresh token. Tokens have 256 random bits, so the hash can be looked up and tells nothing.
public typealias RefreshTokenHash = StoredHash<RefreshTokenSubject>

/// A refresh token, as what a ``StoredHash`` stands for.
public enum RefreshTokenSubject: StoredHashSubject {}
