import Crypto
import NightlatchTokenVerification
package import NightlatchWire

/// A message that a client signs in a journey. Parsing checks its form, but not its signature.
///
/// It cannot be confused with a message of ``NightlatchWire``: its `typ` is `JWS`, `JWT` or missing, it has a
/// `challenge`, and a key that was bound through a journey signs it. An ID token, the only other message with the `typ`
/// `JWT`, has no `challenge`, and a key of the server signs it.
package struct JourneyMessage: Hashable, Sendable {
    package let algorithm: SignatureAlgorithm
    package let keyID: JourneyKeyID
    /// The key in the header, if any.
    package let key: Key?
    package let signature: [UInt8]
    package let signingInput: [UInt8]
    /// The claims. Do not trust them until the signature is verified.
    package let claims: JourneyClaims

    /// Parses `text`.
    package init(_ text: String) throws(JourneyRefusal) {
        guard let jws = ForeignJWS(text) else { throw .malformedMessage }
        let received = try Self.decode(Header.self, from: jws.header)
        guard !received.isCritical, ["jws", "jwt", nil].contains(received.type?.lowercased()) else {
            throw .otherKindOfMessage
        }
        algorithm = received.algorithm
        keyID = received.keyID
        key = received.key
        signature = jws.signature
        signingInput = jws.signingInput
        claims = try Self.decode(JourneyClaims.self, from: jws.payload)
    }

    /// The record that prevents a second use of the message.
    ///
    /// It does not depend on the signature, because one message can have many valid signatures.
    var use: JourneyMessageUse {
        JourneyMessageUse(
            message: MessageHash(SHA256.hash(data: signingInput)),
            expiresAt: claims.expiresAt + JourneyClaims.clockTolerance)
    }

    /// Whether `key` signed the message with the algorithm `expected`.
    func isSigned(by key: PublicJWK, algorithm expected: SignatureAlgorithm) -> Bool {
        algorithm == expected && key.isSignature(signature, of: signingInput, by: expected)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws(JourneyRefusal) -> Value {
        do {
            return try StrictJSON.decode(type, from: bytes, limits: .request)
        } catch {
            throw .malformedMessage
        }
    }

    private struct Header: Decodable {
        let algorithm: SignatureAlgorithm
        let type: String?
        let keyID: JourneyKeyID
        let key: Key?
        let isCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case type = "typ"
            case keyID = "kid"
            case key = "jwk"
            case crit
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try container.decode(SignatureAlgorithm.self, forKey: .algorithm)
            type = try container.decodeIfPresent(String.self, forKey: .type)
            keyID = try container.decode(JourneyKeyID.self, forKey: .keyID)
            key = try container.decodeIfPresent(Key.self, forKey: .key)
            isCritical = container.contains(.crit)
        }
    }

    /// A JWK with its metadata. A certificate chain (`x5c`) is ignored, because no check needs it.
    package struct Key: Decodable, Hashable, Sendable {
        package let key: PublicJWK
        package let keyID: JourneyKeyID?
        package let algorithm: SignatureAlgorithm?
        package let use: String?
        /// The key's permitted operations ([RFC 7517, section
        /// 4.3](https://www.rfc-editor.org/rfc/rfc7517#section-4.3)); nil if not stated.
        package let operations: [String]?

        /// Whether the key's metadata permits verifying signatures.
        var isForSignatures: Bool { use ?? "sig" == "sig" && operations?.contains("verify") ?? true }

        private enum CodingKeys: String, CodingKey {
            case keyID = "kid"
            case algorithm = "alg"
            case use
            case operations = "key_ops"
        }

        package init(from decoder: any Decoder) throws {
            key = try PublicJWK(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            keyID = try container.decodeIfPresent(JourneyKeyID.self, forKey: .keyID)
            algorithm = try container.decodeIfPresent(SignatureAlgorithm.self, forKey: .algorithm)
            use = try container.decodeIfPresent(String.self, forKey: .use)
            operations = try container.decodeIfPresent([String].self, forKey: .operations)
        }
    }
}
