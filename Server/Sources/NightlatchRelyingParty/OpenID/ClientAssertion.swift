import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// An assertion with which an app authenticates
/// ([RFC 7523, section 3](https://www.rfc-editor.org/rfc/rfc7523#section-3)). Parsing checks its form, but not its
/// signature.
package struct ClientAssertion: Hashable, Sendable {
    private let algorithm: SignatureAlgorithm
    private let jws: ForeignJWS
    private let claims: Claims
    /// The app that the assertion names. Its keys verify the assertion.
    let subject: ClientID

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

    private struct Claims: Decodable, Hashable {
        let issuer: ClientID
        let subject: ClientID
        let audiences: [String]
        let expiresAt: NumericDate
        let notBefore: NumericDate?

        init(from decoder: any Decoder) throws {
            let members = try JSONObjectReader(decoder)
            issuer = try members.value("iss")
            subject = try members.value("sub")
            if case .array? = try members.optionalValue("aud", as: JSONValue.self) {
                audiences = try members.value("aud")
            } else {
                audiences = [try members.value("aud")]
            }
            expiresAt = try members.value("exp", as: FractionalDate.self).date
            notBefore = try members.optionalValue("nbf", as: FractionalDate.self)?.date
            guard try !members.value("jti", as: String.self).isEmpty else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "jti must not be empty."))
            }
        }
    }

    /// Parses `text`; returns nil for a text of another form, and for a header with `crit`.
    init?(_ text: String) {
        guard let jws = ForeignJWS(text), let header = Self.decode(Header.self, jws.header), !header.isCritical,
            let claims = Self.decode(Claims.self, jws.payload)
        else { return nil }
        algorithm = header.algorithm
        self.jws = jws
        self.claims = claims
        subject = claims.subject
    }

    /// The record that prevents a second use. It does not depend on the signature, because one message can have many
    /// valid signatures.
    var use: JourneyMessageUse {
        JourneyMessageUse(
            message: MessageHash(SHA256.digest(of: jws.signingInput).bytes), expiresAt: claims.expiresAt)
    }

    /// Whether the assertion authenticates the app ``subject``:
    ///
    /// 1. A key of the app signed it with an algorithm of that key.
    /// 2. `iss` is `sub`, and `aud` contains one of `audiences`.
    /// 3. `exp` is in the future and at most an hour ahead, and `nbf` is not in the future. The app's clock may be
    /// ahead.
    func isValid(with keys: JWKSet, for audiences: [String], now: NumericDate) -> Bool {
        keys.keys.contains { $0.key.isSignature(jws.signature, of: jws.signingInput, by: algorithm) }
            && claims.issuer == subject
            && claims.audiences.contains { audience in audiences.contains(where: audience.isExactly) }
            && now < claims.expiresAt && claims.expiresAt <= now + Self.greatestLife + MessageLife.clockTolerance
            && claims.notBefore ?? now <= now + MessageLife.clockTolerance
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        do {
            return try StrictJSON.decode(type, from: bytes, limits: .request)
        } catch {
            return nil
        }
    }
}
