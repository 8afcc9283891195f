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

/// The part of an audit log entry that tells who its user is: the user's id, the id of a key of a journey, which the
/// user's client has chosen, and the claims that such a key signed.
///
/// A store keeps it beside the entry. The entry contains only its hash, so the part can be erased while the chain stays
/// whole. The part begins with random bytes. After it is erased, the hash therefore does not confirm a guess at the
/// user.
struct AuditPersonalPart {
    private static let saltByteCount = 16
    private static let label = Data("nightlatch audit personal part v1\n".utf8)

    private let members: Members
    /// The part as a store keeps it: 16 random bytes, and the members as JSON.
    let bytes: [UInt8]

    private struct Members: Codable {
        var claims: String?
        var journeyKey: JourneyKeyID?
        var user: UserID

        enum CodingKeys: String, CodingKey {
            case claims, user
            case journeyKey = "journey_key"
        }
    }

    /// Creates the part of a new entry about `event`. Returns nil if the event is about no user.
    init?(of event: AuditEvent) {
        guard let user = event.user else { return nil }
        members = Members(claims: event.claims, journeyKey: event.journeyKey, user: user)
        bytes = RandomBytes.make(count: Self.saltByteCount) + StrictJSON.bytes(of: members)
    }

    /// Reads a stored part. Returns nil for bytes that no store wrote.
    init?(bytes: [UInt8]) {
        do {
            members = try StrictJSON.decode(Members.self, from: Array(bytes.dropFirst(Self.saltByteCount)))
        } catch {
            return nil
        }
        self.bytes = bytes
    }

    /// Adds the members to the event of an entry that lacks them.
    func complete(_ event: inout AuditEvent) {
        event.user = members.user
        event.journeyKey = members.journeyKey
        event.claims = members.claims
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
