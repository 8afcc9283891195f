internal import Foundation
internal import Nightlatch
internal import NightlatchWire

/// The message that a key signs for a journey: a compact JWS in the form of the vendor's iOS clients.
struct BindingMessage {
    let applicationID: String
    let challenge: String
    let issuedAt: NumericDate
    let notBefore: NumericDate
    let expiresAt: NumericDate
    let customClaims: CustomClaims
    /// Whether the header contains the key, because the server does not know it yet.
    let introducesKey: Bool

    /// Returns the bytes to sign: header and payload, encoded and joined.
    func signingInput(_ entry: UserKeyEntry, _ key: PublicJWK, _ algorithm: SignatureAlgorithm) -> Data {
        var header = JSONObject([
            "alg": .string(algorithm.rawValue), "kid": .string(entry.keyID), "typ": .string("JWS"),
        ])
        if introducesKey { header.set("jwk", .object(Self.jwk(key, algorithm, entry.keyID))) }
        return Data(
            [header, claims(entry)].map { Base64URL.encode(JSONValue.object($0).bytes) }.joined(separator: ".").utf8)
    }

    static func compact(_ signed: SignedByUserKey) -> String {
        String(decoding: signed.signingInput, as: UTF8.self) + "." + Base64URL.encode(signed.signature)
    }

    private func claims(_ entry: UserKeyEntry) -> JSONObject {
        var claims = JSONObject([
            "sub": .string(entry.owner.user), "iss": .string(applicationID), "challenge": .string(challenge),
            "iat": Self.number(issuedAt), "nbf": Self.number(notBefore), "exp": Self.number(expiresAt),
            "platform": .string("ios"),
        ])
        // Custom claims never have a reserved name. They may replace `platform`, as in the vendor's clients.
        for member in customClaims.members.members { claims.set(member.name, member.value) }
        return claims
    }

    private static func number(_ date: NumericDate) -> JSONValue { .number("\(date.secondsSince1970)") }

    private static func jwk(_ key: PublicJWK, _ algorithm: SignatureAlgorithm, _ keyID: String) -> JSONObject {
        var members =
            switch key {
            case .ec(let key):
                JSONObject([
                    "kty": .string("EC"), "crv": .string("P-256"),
                    "x": .string(Base64URL.encode(key.coordinates.prefix(32))),
                    "y": .string(Base64URL.encode(key.coordinates.suffix(32))),
                ])
            case .rsa(let key):
                JSONObject([
                    "kty": .string("RSA"), "n": .string(Base64URL.encode(key.modulus)),
                    "e": .string(Base64URL.encode(key.exponent)),
                ])
            }
        members.set("use", .string("sig"))
        members.set("alg", .string(algorithm.rawValue))
        members.set("kid", .string(keyID))
        return members
    }
}
