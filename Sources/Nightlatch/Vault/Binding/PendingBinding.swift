import Crypto
import Foundation
import NightlatchWire

/// A binding that is under way: for whom its keys were made, and how many calls have worked with them.
struct PendingBinding: Codable, Hashable, Sendable {
    let keys: BindingKeyTags
    /// The relying party that is asked.
    let issuer: Issuer
    /// The code that it is asked with. A code is for one user, so keys that were made for one serve no other.
    let codeHash: EnrolmentCodeHash
    /// What the relying party has said at the newest beginning; nil until then, and nothing was sent yet that could bind the keys. Nil also
    /// in records of versions that did not keep it.
    private(set) var begun: Begun?
    /// Each call adds one before it uses the keys, so it is still the one that a call has written if and only if no other call has
    /// used them since.
    private(set) var callCount = 1

    struct Begun: Codable, Hashable, Sendable {
        /// Whose code it is.
        let user: UserID
        /// Until when, by the relying party's clock, an answer that is still on its way can bind the keys.
        let expiresAt: NumericDate

        private enum CodingKeys: String, CodingKey {
            case user
            case expiresAt = "expires_at"
        }
    }

    /// A new binding, with keys of its own.
    init(with code: EnrolmentCode, at issuer: Issuer) {
        keys = BindingKeyTags(deviceKey: .random(), possessionKey: .random())
        self.issuer = issuer
        codeHash = EnrolmentCodeHash(of: code)
    }

    func isFor(_ code: EnrolmentCode, at issuer: Issuer) -> Bool {
        self.issuer == issuer && codeHash == EnrolmentCodeHash(of: code)
    }

    /// The same binding, with one call more.
    func joined() -> PendingBinding {
        var joined = self
        joined.callCount += 1
        return joined
    }

    /// The same binding, once the relying party has begun it, for the first time or again.
    func challenged(by challenge: BindingChallenge) -> PendingBinding {
        var challenged = self
        let end = max(begun?.expiresAt ?? challenge.expiresAt, challenge.expiresAt)
        challenged.begun = Begun(user: challenge.user, expiresAt: end)
        return challenged
    }

    /// Whether no other call has used the keys between this and `other`.
    func isOfSameCall(as other: PendingBinding) -> Bool { keys == other.keys && callCount == other.callCount }

    /// Whether no other call had used the keys when this was written.
    var isFirstCall: Bool { callCount == 1 }

    private enum CodingKeys: String, CodingKey {
        case keys, issuer, begun
        case codeHash = "code_hash"
        case callCount = "call_count"
    }
}

/// SHA-256 of an enrolment code: tells whether a code is the same one, without keeping it.
typealias EnrolmentCodeHash = Identifier<EnrolmentCodeHashRule>

enum EnrolmentCodeHashRule: BinaryIdentifierRule {
    static let name = "enrolment code hash"
    static let byteCount = 32
}

extension Identifier where Rule == EnrolmentCodeHashRule {
    init(of code: EnrolmentCode) {
        var transcript = Transcript("nightlatch pending binding")
        transcript.append(code.canonicalText)
        self.init(unchecked: Base64URL.encode(Data(SHA256.hash(data: transcript.bytes))))
    }
}
