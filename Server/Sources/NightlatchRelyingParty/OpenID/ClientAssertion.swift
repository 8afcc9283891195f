import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// A verified assertion with which an app authenticates
/// ([RFC 7523, section 3](https://www.rfc-editor.org/rfc/rfc7523#section-3)).
struct ClientAssertion {
    /// The record that prevents a second use.
    let use: JourneyMessageUse

    /// The greatest lifetime of an assertion. Common libraries make assertions for an hour.
    private static let greatestLife: Duration = .seconds(60 * 60)

    private struct Header: Decodable {
        let algorithm: SignatureAlgorithm
        let isCritical: Bool

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            algorithm = try members.value("alg")
            isCritical = members.contains("crit")
        }
    }

    private struct Claims: Decodable {
        let issuer: String
        let subject: String
        let audiences: [String]
        let expiresAt: NumericDate
        let id: String

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            issuer = try members.value("iss")
            subject = try members.value("sub")
            if case .array? = try members.optionalValue("aud", as: JSONValue.self) {
                audiences = try members.value("aud")
            } else {
                audiences = [try members.value("aud")]
            }
            expiresAt = try members.value("exp")
            id = try members.value("jti")
        }
    }

    /// Verifies an assertion:
    ///
    /// 1. It is a compact JWS without `crit`, signed by a key of the app with an algorithm of that key.
    /// 2. `iss` and `sub` are the app's id, and `aud` is the issuer or an address of this server: a library may name
    ///    the issuer, the token endpoint or the endpoint that it calls ([RFC 9126, section
    ///    2](https://www.rfc-editor.org/rfc/rfc9126#section-2)).
    /// 3. `exp` is in the future and at most an hour ahead; there is a `jti`.
    init(_ text: String, of client: ClientID, keys: JWKSet, issuer: Issuer, now: NumericDate) throws(Refusal) {
        guard let parts = Self.parts(text), let header = Self.decode(Header.self, parts.header), !header.isCritical,
            let signature = Base64URL.decode(parts.signature),
            keys.keys.contains(where: {
                $0.key.isSignature(signature, of: parts.signingInput, by: header.algorithm)
            }),
            let claims = Self.decode(Claims.self, parts.payload),
            claims.issuer.isExactly(client.rawValue), claims.subject.isExactly(client.rawValue), !claims.id.isEmpty,
            claims.audiences.contains(where: { audience in
                audience.isExactly(issuer.rawValue) || audience.utf8.starts(with: (issuer.rawValue + "/").utf8)
            }),
            now < claims.expiresAt, claims.expiresAt <= now + Self.greatestLife
        else { throw .appAuthenticationRefused }
        use = JourneyMessageUse(
            message: MessageHash(SHA256.digest(of: parts.signingInput).bytes), expiresAt: claims.expiresAt)
    }

    /// The `sub` of an assertion, to find the app whose keys verify it.
    static func unverifiedSubject(of text: String) -> ClientID? {
        guard let parts = parts(text), let claims = decode(Claims.self, parts.payload) else { return nil }
        return ClientID(rawValue: claims.subject)
    }

    private struct Parts {
        let header: Substring
        let payload: Substring
        let signature: Substring
        let signingInput: [UInt8]
    }

    private static func parts(_ text: String) -> Parts? {
        guard text.utf8.count <= CompactJWS.byteCountLimit else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return Parts(
            header: parts[0], payload: parts[1], signature: parts[2],
            signingInput: Array(text.utf8.dropLast(parts[2].utf8.count + 1)))
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ part: Substring) -> Value? {
        guard let bytes = Base64URL.decode(part) else { return nil }
        do {
            return try StrictJSON.decode(type, from: bytes, limits: .request)
        } catch {
            return nil
        }
    }
}
