import Crypto
import Foundation
import NightlatchTokenVerification
import NightlatchWire

/// SHA-256 over a label and the personal part of an entry.
typealias AuditPersonalHash = Identifier<AuditPersonalHashRule>

enum AuditPersonalHashRule: BinaryIdentifierRule {
    static let name = "personal hash"
    static let byteCount = 32
}

/// The part of an audit log entry that tells who its user is: the user's id, and the claims that the user's key signed.
///
/// A store keeps it beside the entry. The entry contains only its hash, so the part can be erased while the chain stays
/// whole. The part begins with random bytes. After it is erased, the hash therefore does not confirm a guess at the
/// user.
struct AuditPersonalPart {
    private static let saltByteCount = 16
    private static let separator = UInt8(ascii: "\n")
    private static let label = Data("nightlatch audit personal part v1\n".utf8)

    let user: UserID
    let claims: String?
    /// The part as a store keeps it: 16 random bytes, the user's id and, if there are claims, a line feed and the
    /// claims.
    let bytes: [UInt8]

    /// Creates the part of a new entry.
    init(user: UserID, claims: String?) {
        self.user = user
        self.claims = claims
        var bytes = RandomBytes.make(count: Self.saltByteCount)
        bytes += user.rawValue.utf8
        if let claims {
            bytes.append(Self.separator)
            bytes += claims.utf8
        }
        self.bytes = bytes
    }

    /// Reads a stored part. Returns nil for bytes that no store wrote.
    init?(bytes: [UInt8]) {
        // No user id contains a line feed.
        let texts = bytes.dropFirst(Self.saltByteCount).split(
            separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(validating: $0, as: UTF8.self) }
        guard let text = texts.first.flatMap(\.self), let user = UserID.stored(text) else { return nil }
        if texts.count == 2 {
            guard let claims = texts[1] else { return nil }
            self.claims = claims
        } else {
            claims = nil
        }
        self.user = user
        self.bytes = bytes
    }

    var hash: AuditPersonalHash {
        var hash = SHA256()
        hash.update(data: Self.label)
        hash.update(data: bytes)
        guard let result = AuditPersonalHash(bytes: hash.finalize().bytes) else {
            // SHA-256 gives 32 bytes.
            preconditionFailure("a hash of another length")
        }
        return result
    }
}
