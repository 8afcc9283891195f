public import Foundation

/// A message that waits for its signature. Signing is left to the caller, because keys in hardware sign asynchronously and
/// may first ask a person.
public struct UnsignedJWS: Sendable {
    private let text: String

    /// A message with `claims`, to be signed by the key that `keyID` or `key` names.
    public init(
        _ claims: some MessageClaims,
        algorithm: SignatureAlgorithm,
        keyID: KeyID? = nil,
        key: PublicJWK? = nil
    ) {
        let header = JWSHeader(algorithm: algorithm, type: type(of: claims).messageType, keyID: keyID, key: key)
        self.init(claims, header: EncodedJWSHeader(header))
    }

    /// A message with `claims` under a header that was written before.
    ///
    /// - Precondition: The header is for messages of the claims' type.
    public init<Claims: MessageClaims>(_ claims: Claims, header: EncodedJWSHeader) {
        precondition(header.type == Claims.messageType, "the header is for messages of another type")
        let payload = Base64URL.encode(StrictJSON.bytes(of: claims))
        text = Self.joined(header.text, payload)
    }

    /// The bytes to sign.
    public var signingInput: [UInt8] { Array(text.utf8) }

    /// The finished message in compact form. For ES256 the signature is R and S, 32 bytes each, not DER.
    public func signed(_ signature: some DataProtocol) -> String {
        Self.joined(text, Base64URL.encode(signature))
    }

    /// In memory that is had once: it would be had anew for the dot and for the part.
    private static func joined(_ text: String, _ part: String) -> String {
        var joined = ""
        joined.reserveCapacity(text.utf8.count + 1 + part.utf8.count)
        joined += text
        joined += "."
        joined += part
        return joined
    }
}
