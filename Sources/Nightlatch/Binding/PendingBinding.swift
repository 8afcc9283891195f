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
    /// Whose code it is, as the relying party has said; nil until then, and nothing was sent yet that could bind the keys.
    private(set) var user: UserID?
    /// Each call adds one before it uses the keys, so it is still the one that a call has written if and only if no other call has
    /// used them since.
    private(set) var callCount = 1

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

    /// The same binding, once it is known whose it is to be.
    func named(_ user: UserID) -> PendingBinding {
        var named = self
        named.user = user
        return named
    }

    /// Whether no other call has used the keys between this and `other`.
    func isOfSameCall(as other: PendingBinding) -> Bool { keys == other.keys && callCount == other.callCount }

    /// Whether no other call had used the keys when this was written.
    var isFirstCall: Bool { callCount == 1 }

    private enum CodingKeys: String, CodingKey {
        case keys, issuer, user
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
