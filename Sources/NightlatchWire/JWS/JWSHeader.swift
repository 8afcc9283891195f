/// The header of a signed message ([RFC 7515, section 4](https://www.rfc-editor.org/rfc/rfc7515#section-4)).
///
/// Other parameters are ignored, as the RFC demands. In particular, `jku`, `x5u` and similar links are never followed.
/// A header with `crit` is refused, because no extension is supported.
public struct JWSHeader: Codable, Hashable, Sendable {
    public let algorithm: SignatureAlgorithm
    public let type: MessageType
    /// The id of the key that signed, in messages to a receiver that already knows the key.
    public let keyID: KeyID?
    /// The key that signed, in messages that introduce this key.
    public let key: PublicJWK?

    public init(algorithm: SignatureAlgorithm, type: MessageType, keyID: KeyID? = nil, key: PublicJWK? = nil) {
        self.algorithm = algorithm
        self.type = type
        self.keyID = keyID
        self.key = key
    }

    public init(from decoder: any Decoder) throws {
        try self.init(JSONObjectReader(decoder))
    }

    init(_ members: JSONObjectReader) throws {
        algorithm = try members.value("alg")
        type = try members.value("typ")
        keyID = try members.optionalValue("kid")
        key = try members.optionalValue("jwk")
    }

    public func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("alg", algorithm)
        if let key { try members.add("jwk", key) }
        try members.addIfPresent("kid", keyID)
        try members.add("typ", type)
    }
}
