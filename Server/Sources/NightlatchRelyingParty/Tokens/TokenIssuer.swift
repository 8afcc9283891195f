import Crypto
import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// Issues access tokens ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068)), signed with ES256, and lists the keys
/// that verify them.
package struct TokenIssuer: Sendable {
    package let relyingParty: Issuer
    /// The lifetime of an access token.
    package let life: Duration
    /// The keys of all tokens that may be valid, and the key that signs next.
    package let publicKeys: [PublicJWK]
    private let keys: [TokenSigningKey]

    /// Makes an issuer that signs with the newest of `keys` that may sign already; returns nil if there is no key.
    ///
    /// - Parameters:
    ///   - relyingParty: The issuer of the tokens.
    ///   - life: The lifetime of an access token.
    ///   - keys: All stored keys, in the order in which they begin to sign.
    package init?(relyingParty: Issuer, life: Duration, keys: [TokenSigningKey]) {
        guard !keys.isEmpty else { return nil }
        self.relyingParty = relyingParty
        self.life = life
        self.keys = keys
        publicKeys = keys.map(\.publicKey)
    }

    /// Issues a token for `user` on `device`, which is accepted only with proofs by `possessionKey`.
    ///
    /// - Throws: ``TokenIssuingError``; no token was issued.
    package func accessToken(
        user: UserID,
        device: DeviceID,
        client: ClientID,
        session: SessionID,
        authentication: Authentication,
        possessionKey: KeyID,
        now: NumericDate
    ) throws(TokenIssuingError) -> AccessToken {
        guard let id = MessageID(bytes: RandomBytes.make(count: MessageIDRule.byteCount)) else {
            throw TokenIssuingError()
        }
        let claims = AccessTokenClaims(
            issuer: relyingParty, subject: user, audience: relyingParty, clientID: client, id: id, issuedAt: now,
            expiresAt: now + life, device: device, session: session, authentication: authentication,
            possessionKey: possessionKey)
        guard let token = AccessToken(rawValue: try sign(claims, now: now)) else { throw TokenIssuingError() }
        return token
    }

    /// Signs `claims`, which are those of an access token or an ID token, with the current key.
    ///
    /// - Throws: ``TokenIssuingError``; nothing was signed.
    func sign<Claims: MessageClaims>(_ claims: Claims, now: NumericDate) throws(TokenIssuingError) -> String {
        let key = try key(now: now)
        let header = Claims.messageType == .idToken ? key.idTokenHeader : key.tokenHeader
        let unsigned = UnsignedJWS(claims, header: header)
        do {
            let signature = try key.privateKey.signature(for: SHA256.digest(of: unsigned.signingInput))
            return unsigned.signed(signature.rawRepresentation)
        } catch {
            throw TokenIssuingError()
        }
    }

    /// Signs `claims` as a compact JWS of the type `type`, with the current key.
    ///
    /// - Precondition: No token and no message to the relying party has this type.
    /// - Throws: ``TokenIssuingError``; nothing was signed.
    func sign(_ claims: JSONValue, type: String, now: NumericDate) throws(TokenIssuingError) -> String {
        precondition(MessageType(rawValue: type) == nil, "this type has another meaning")
        let key = try key(now: now)
        let header = JSONValue.object([
            .init("alg", .string("ES256")), .init("kid", .string(key.id.rawValue)), .init("typ", .string(type)),
        ])
        let input = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
        do {
            let signature = try key.privateKey.signature(for: Data(input.utf8))
            return input + "." + Base64URL.encode(signature.rawRepresentation)
        } catch {
            throw TokenIssuingError()
        }
    }

    private func key(now: NumericDate) throws(TokenIssuingError) -> TokenSigningKey {
        // If the clock is far behind, no key may sign yet. The oldest key then signs, because every verifier knows it.
        guard let key = keys.last(where: { $0.activeFrom <= now }) ?? keys.first else { throw TokenIssuingError() }
        return key
    }
}

/// The cryptographic library did not sign. This is a defect, since the key was checked when it was opened.
package struct TokenIssuingError: Error, Hashable, Sendable {}
