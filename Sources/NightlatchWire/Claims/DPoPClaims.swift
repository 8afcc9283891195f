/// The claims of a DPoP proof: a possession key signs one HTTP request
/// ([RFC 9449, section 4.2](https://www.rfc-editor.org/rfc/rfc9449#section-4.2)).
public struct DPoPClaims: MessageClaims, Hashable {
    public static let messageType = MessageType.dpop

    public let id: ProofID
    /// The request's method.
    public let method: String
    /// The request's URL without query and fragment.
    public let url: String
    public let issuedAt: NumericDate
    /// The hash of the request's access token, if it has one.
    public let accessTokenHash: AccessTokenHash?
    /// The newest nonce from the server, if the client has one.
    public let nonce: DPoPNonce?

    public init(
        id: ProofID = .random(),
        method: String,
        url: String,
        issuedAt: NumericDate,
        accessTokenHash: AccessTokenHash? = nil,
        nonce: DPoPNonce? = nil
    ) {
        self.id = id
        self.method = method
        self.url = url
        self.issuedAt = issuedAt
        self.accessTokenHash = accessTokenHash
        self.nonce = nonce
    }

    public init(from decoder: any Decoder) throws {
        let members = try JSONObjectReader(decoder)
        id = try members.value("jti")
        method = try members.value("htm")
        url = try members.value("htu")
        issuedAt = try members.value("iat")
        accessTokenHash = try members.optionalValue("ath")
        nonce = try members.optionalValue("nonce")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.addIfPresent("ath", accessTokenHash)
        try members.add("htm", method)
        try members.add("htu", url)
        try members.add("iat", issuedAt)
        try members.add("jti", id)
        try members.addIfPresent("nonce", nonce)
    }
}

/// The `jti` of a DPoP proof: 1 to 256 bytes of text in any form that the sender chooses.
public typealias ProofID = Identifier<ProofIDRule>

public enum ProofIDRule: IdentifierRule {
    public static let name = "proof id"

    public static func accepts(_ text: String) -> Bool { (1...256).contains(text.utf8.count) }
}

extension Identifier where Rule == ProofIDRule {
    /// A new proof id: 16 bytes from the system's cryptographically secure generator.
    public static func random() -> Self { Self(unchecked: MessageID.random().rawValue) }
}
