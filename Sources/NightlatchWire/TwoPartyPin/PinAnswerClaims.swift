import Crypto
public import Foundation

/// The relying party's signed statement that it gave this answer to this request about a two-party PIN.
///
/// It is a compact JWS in the HTTP header ``headerName``, signed with the key that the device pinned. So an attacker on
/// the connection cannot answer for the relying party. The device signs each request, and no two requests are the same,
/// so the statement fits no other request.
public struct PinAnswerClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.pinAnswer
    /// The HTTP header that contains the statement.
    public static let headerName = "Nightlatch-Answer"

    /// The relying party.
    public let issuer: Issuer
    /// The SHA-256 hash of the request's body.
    public let request: PinContentHash
    /// The answer's HTTP status.
    public let status: Int
    /// The SHA-256 hash of the answer's body.
    public let answer: PinContentHash

    public init(issuer: Issuer, request: some DataProtocol, status: Int, answer: some DataProtocol) {
        self.issuer = issuer
        self.request = PinContentHash(of: request)
        self.status = status
        self.answer = PinContentHash(of: answer)
    }

    /// Whether `text` is a message with exactly these claims and a valid signature by `key`.
    public func isSigned(in text: String, by key: PublicJWK) -> Bool {
        guard case .ec(let key) = key, let message = try? CompactJWS(text), message.header.algorithm == .es256,
            let claims = try? message.claims(Self.self), claims == self,
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: message.signature)
        else { return false }
        return key.verificationKey.isValidSignature(signature, for: message.signingInput)
    }

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case request, status, answer
    }
}

/// The SHA-256 hash of the body of a request or an answer.
public typealias PinContentHash = Identifier<PinContentHashRule>

public enum PinContentHashRule: BinaryIdentifierRule {
    public static let name = "content hash"
    public static let byteCount = 32
}

extension Identifier where Rule == PinContentHashRule {
    fileprivate init(of content: some DataProtocol) {
        self.init(unchecked: Base64URL.encode(Array(SHA256.hash(data: content))))
    }
}
