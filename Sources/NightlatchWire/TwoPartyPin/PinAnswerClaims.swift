import Crypto
public import Foundation

/// The relying party's word on one answer about a two-party PIN: to this request it has said this. It comes along in the header
/// ``headerName``, as a compact JWS by the key that the device has pinned, so that nobody in between answers in the relying party's place.
///
/// The request is signed by the device, names it and is never sent twice alike, so the word is none on any other question.
public struct PinAnswerClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.pinAnswer
    /// The HTTP header that has it.
    public static let headerName = "Nightlatch-Answer"

    /// The relying party.
    public let issuer: Issuer
    /// SHA-256 of the request's body.
    public let request: PinContentHash
    /// The answer's HTTP status.
    public let status: Int
    /// SHA-256 of the answer's body.
    public let answer: PinContentHash

    public init(issuer: Issuer, request: some DataProtocol, status: Int, answer: some DataProtocol) {
        self.issuer = issuer
        self.request = PinContentHash(of: request)
        self.status = status
        self.answer = PinContentHash(of: answer)
    }

    /// Whether `text` is this, signed by `key`.
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

/// SHA-256 of a request's body, or of an answer's.
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
