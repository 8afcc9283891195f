import Crypto
import Foundation
package import NightlatchWire

/// Issues access tokens ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068)), signed with ES256, and says by which keys they
/// can be verified.
package struct TokenIssuer: Sendable {
    package let relyingParty: Issuer
    /// How long an access token lives.
    package let life: Duration
    /// Every key whose tokens may still be alive.
    package let publicKeys: [PublicJWK]
    private let signingKey: P256.Signing.PrivateKey
    private let signingKeyID: KeyID

    /// An issuer that signs with the newest of `keys`; nil if there is none.
    package init?(relyingParty: Issuer, life: Duration, keys: [TokenSigningKey]) {
        guard let newest = keys.last else { return nil }
        self.relyingParty = relyingParty
        self.life = life
        publicKeys = keys.map(\.publicKey)
        signingKey = newest.privateKey
        signingKeyID = newest.id
    }

    /// A token for `user` on `device`, which is good only with proofs by `possessionKey`.
    ///
    /// - Throws: ``TokenIssuingError``; nothing was issued.
    package func accessToken(
        user: UserID,
        device: DeviceID,
        client: ClientID,
        possessionKey: KeyID,
        now: NumericDate
    ) throws(TokenIssuingError) -> AccessToken {
        let claims = AccessTokenClaims(
            issuer: relyingParty, subject: user, audience: relyingParty, clientID: client, issuedAt: now,
            expiresAt: now + life, device: device, possessionKey: possessionKey)
        let unsigned = UnsignedJWS(claims, algorithm: .es256, keyID: signingKeyID)
        do {
            let signature = try signingKey.signature(for: unsigned.signingInput)
            guard let token = AccessToken(rawValue: unsigned.signed(signature.rawRepresentation)) else {
                throw TokenIssuingError()
            }
            return token
        } catch {
            throw TokenIssuingError()
        }
    }
}

/// The cryptographic library did not sign: a defect, since the key was checked when it was opened.
package struct TokenIssuingError: Error, Hashable, Sendable {}
