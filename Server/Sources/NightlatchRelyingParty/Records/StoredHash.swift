/// A 32-byte hash that lets a store recognise a value without knowing it.
///
/// The type parameter keeps hashes of different subjects apart.
public struct StoredHash<Subject: StoredHashSubject>: Codable, Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }
}

/// The kind of value that a ``StoredHash`` is computed from.
public protocol StoredHashSubject: Sendable {}

/// HMAC-SHA256 of an enrolment code under a key that is derived from the master key.
///
/// A code has 80 bits: without the key an attacker cannot test codes against a stolen database.
public typealias EnrolmentCodeMAC = StoredHash<EnrolmentCodeSubject>

/// The subject of the hash of an enrolment code.
public enum EnrolmentCodeSubject: StoredHashSubject {}

/// SHA-256 of a whole signed message. It distinguishes a repeated message from another message with the same challenge.
public typealias MessageHash = StoredHash<MessageSubject>

/// The subject of the hash of a whole signed message.
public enum MessageSubject: StoredHashSubject {}

/// SHA-256 of a refresh token. A token has 256 random bits, so its hash can be used for lookup and does not reveal it.
public typealias RefreshTokenHash = StoredHash<RefreshTokenSubject>

/// The subject of the hash of a refresh token.
public enum RefreshTokenSubject: StoredHashSubject {}
