import Crypto
import Foundation
package import NightlatchWire

/// An ID token that the shop has verified as
/// [OpenID Connect Core 1.0, section 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)
/// demands.
package struct VerifiedIDToken: Sendable {
    /// A check that the token passed, with the value that was checked.
    struct Check: Sendable {
        let text: String
        let value: String
    }

    /// The user, by the relying party's id.
    package let subject: String
    let checks: [Check]
    /// The claims in the order of the token. Each value is JSON.
    let claims: [(name: String, value: String)]

    /// - Parameters:
    ///   - text: The token in compact form.
    ///   - keys: The keys that the relying party publishes.
    ///   - issuer: The relying party.
    ///   - nonce: The nonce of the authorization request.
    ///   - now: The shop's time.
    /// - Throws: An error that names the first check that failed. Nothing of the token may then be used.
    package init(
        _ text: String, by keys: [PublicJWK], of issuer: Issuer, nonce: String, now: NumericDate
    ) throws {
        let message = try CompactJWS(text)
        let key = try Self.key(of: message, in: keys)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: message.signature)
        try ShopFailure.require(
            key.verificationKey.isValidSignature(signature, for: Data(message.signingInput)),
            "the ID token’s signature is not valid")
        // The form was checked above, so there are three parts.
        let payload = Base64URL.decode(String(text.split(separator: ".")[1])) ?? []
        let claims = try JSONValue(parsing: payload, limits: .message)
        let (audience, subject) = (DemoShop.client.rawValue, claims["sub"]?.string ?? "")
        try ShopFailure.require(claims["iss"]?.string == issuer.rawValue, "the ID token is from another server")
        try ShopFailure.require(claims["aud"]?.string == audience, "the ID token is for another app")
        try ShopFailure.require(claims["nonce"]?.string == nonce, "the ID token belongs to another request")
        let (begin, end) = (claims["iat"]?.integer ?? .max, claims["exp"]?.integer ?? 0)
        let time = now.secondsSince1970
        // The server's clock may be a minute ahead.
        try ShopFailure.require(begin <= time + 60 && time < end, "the ID token is not valid now")
        try ShopFailure.require(!subject.isEmpty, "the ID token names no user")
        self.subject = subject
        checks = [
            Check(
                text: "The signature is by a key that the server publishes",
                value: "\(message.header.algorithm.rawValue), \(ExchangeReading.short(key.name))"),
            Check(text: "It is from this server", value: issuer.rawValue),
            Check(text: "It is for this shop", value: audience),
            Check(text: "It belongs to the shop’s request, by the nonce", value: ExchangeReading.short(nonce)),
            Check(text: "It is valid now", value: "for another \(end - time) s"),
        ]
        self.claims = claims.object?.members.map { ($0.name, $0.value.json) } ?? []
    }

    private static func key(of message: CompactJWS, in keys: [PublicJWK]) throws(ShopFailure) -> ECPublicJWK {
        try ShopFailure.require(message.header.type == .idToken, "the token is no ID token")
        guard case .ec(let key)? = keys.first(where: { $0.thumbprint == message.header.keyID }),
            message.header.algorithm == .es256
        else { throw ShopFailure("the server publishes no key of the ID token’s key id") }
        return key
    }
}

extension ECPublicJWK {
    fileprivate var name: String { PublicJWK.ec(self).thumbprint.rawValue }
}
