import Crypto
import Foundation
import NightlatchWire

/// The relying party, app and user that a policy is for. Only revisions of one origin can be compared.
///
/// The value is a hash, so the registry of profiles does not reveal the user.
typealias PolicyOrigin = Identifier<PolicyOriginRule>

enum PolicyOriginRule: BinaryIdentifierRule {
    static let name = "policy origin"
    static let byteCount = 16
}

extension Identifier where Rule == PolicyOriginRule {
    init(_ claims: PolicyClaims) {
        var transcript = Transcript("nightlatch policy origin")
        transcript.append(claims.issuer.rawValue)
        transcript.append(claims.audience.rawValue)
        transcript.append(claims.subject.rawValue)
        let digest = SHA256.hash(data: transcript.bytes).prefix(PolicyOriginRule.byteCount)
        self.init(unchecked: Base64URL.encode(Data(digest)))
    }
}
