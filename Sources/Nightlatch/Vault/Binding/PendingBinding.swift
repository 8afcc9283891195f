import Crypto
import Foundation
import NightlatchWire

/// A binding that is not complete yet: its keys, the relying party and the code that the keys are for, and the number
/// of calls that have used the keys.
struct PendingBinding: Codable, Hashable, Sendable {
    let keys: BindingKeyTags
    /// The relying party that the calls are sent to.
    let issuer: Issuer
    /// The hash of the enrolment code that the calls send. A code is for one user, so keys that were made for one code
    /// are not used with another.
    let codeHash: EnrolmentCodeHash
    /// The relying party's newest answer to the first step of binding.
    ///
    /// Nil until the first answer. No request that could bind the keys is sent before that. Also nil in records of
    /// versions that did not store it.
    private(set) var begun: Begun?
    /// The number of calls that have used the keys.
    ///
    /// Each call adds one before it uses the keys. So a call finds the count that it wrote if and only if no other call
    /// has used the keys since.
    private(set) var callCount = 1

    struct Begun: Codable, Hashable, Sendable {
        /// The user that the code is for.
        let user: UserID
        /// The time, by the relying party's clock, until which a request that is still under way can bind the keys.
        let expiresAt: NumericDate

        private enum CodingKeys: String, CodingKey {
            case user
            case expiresAt = "expires_at"
        }
    }

    /// Creates a binding with new keys.
    init(with code: EnrolmentCode, at issuer: Issuer) {
        keys = BindingKeyTags(deviceKey: .random(), possessionKey: .random())
        self.issuer = issuer
        codeHash = EnrolmentCodeHash(of: code)
    }

    func isFor(_ code: EnrolmentCode, at issuer: Issuer) -> Bool {
        self.issuer == issuer && codeHash == EnrolmentCodeHash(of: code)
    }

    /// Returns the same binding with one more call counted.
    func joined() -> PendingBinding {
        var joined = self
        joined.callCount += 1
        return joined
    }

    /// Returns the same binding with the relying party's answer, to a first or a repeated request.
    func challenged(by challenge: BindingChallenge) -> PendingBinding {
        var challenged = self
        let end = max(begun?.expiresAt ?? challenge.expiresAt, challenge.expiresAt)
        challenged.begun = Begun(user: challenge.user, expiresAt: end)
        return challenged
    }

    /// Whether the same call wrote this value and `other`: no other call has used the keys in between.
    func isOfSameCall(as other: PendingBinding) -> Bool { keys == other.keys && callCount == other.callCount }

    /// Whether no other call had used the keys when this was written.
    var isFirstCall: Bool { callCount == 1 }

    private enum CodingKeys: String, CodingKey {
        case keys, issuer, begun
        case codeHash = "code_hash"
        case callCount = "call_count"
    }
}

/// SHA-256 of an enrolment code. It shows whether two codes are the same without storing the code.
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
