public import Foundation

/// A message that has no signature yet.
///
/// The caller signs it, because keys in hardware sign asynchronously and may ask the user first.
public struct UnsignedJWS: Sendable {
    private let text: String

    /// Creates a message with `claims`. The key that `keyID` or `key` names is to sign it.
    public init(
        _ claims: some MessageClaims,
        algorithm: SignatureAlgorithm,
        keyID: KeyID? = nil,
        key: PublicJWK? = nil
    ) {
        let header = JWSHeader(algorithm: algorithm, type: type(of: claims).messageType, keyID: keyID, key: key)
        self.init(claims, header: EncodedJWSHeader(header))
    }

    /// Creates a message with `claims` and a header that is already encoded.
    ///
    /// - Precondition: The header has the message type of the claims.
    public init<Claims: MessageClaims>(_ claims: Claims, header: EncodedJWSHeader) {
        precondition(header.type == Claims.messageType, "the header is for messages of another type")
        let payload = Base64URL.encode(StrictJSON.bytes(of: claims))
        text = Self.joined(header.text, payload)
    }

    /// The bytes to sign.
    public var signingInput: [UInt8] { Array(text.utf8) }

    /// The finished message in compact form.
    ///
    /// For ES256, `signature` is R and S with 32 bytes each, not DER.
    public func signed(_ signature: some DataProtocol) -> String {
        Self.joined(text, Base64URL.encode(signature))
    }

    /// Joins two parts with a dot. Memory is allocated once; appending would allocate again for the dot and for the
    /// part.
    private static func joined(_ text: String, _ part: String) -> String {
        var joined = ""
        joined.reserveCapacity(text.utf8.count + 1 + part.utf8.count)
        joined += text
        joined += "."
        joined += part
        return joined
    }
}
