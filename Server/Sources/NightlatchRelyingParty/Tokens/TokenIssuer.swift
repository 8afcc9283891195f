import Crypto
import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// Issues access tokens ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068)), signed with ES256, and says by which keys they
/// can be verified.
package struct TokenIssuer: Sendable {
    package let relyingParty: Issuer
    /// How long an access token lives.
    package let life: Duration
    /// Every key whose tokens may be alive, and the one that signs next.
    package let publicKeys: [PublicJWK]
    private let keys: [TokenSigningKey]

    /// An issuer that signs with the newest of `keys` that may sign already; nil if there is none.
    ///
    /// - Parameters:
    ///   - relyingParty: Who issues.
    ///   - life: How long an access token lives.
    ///   - keys: Those that were not forgotten, in the order in which they begin to sign.
    package init?(relyingParty: Issuer, life: Duration, keys: [TokenSigningKey]) {
        guard !keys.isEmpty else { return nil }
        self.relyingParty = relyingParty
        self.life = life
        self.keys = keys
        publicKeys = keys.map(\.publicKey)
    }

    /// A token for `user` on `device`, which is good only with proofs by `possessionKey`.
    ///
    /// - Throws: ``TokenIssuingError``; nothing was issued.
    package func accessToken(
        user: UserID,
        device: DeviceID,
        client: ClientID,
        session: SessionID,
        authentication: Authentication,
        possessionKey: KeyID,
        now: NumericDate
    ) throws(TokenIssuingError) -> AccessToken {
        // With a clock that is far behind none may sign yet; the oldest is known to everybody.
        guard let key = keys.last(where: { $0.activeFrom <= now }) ?? keys.first,
            let id = MessageID(bytes: RandomBytes.make(count: MessageIDRule.byteCount))
        else { throw TokenIssuingError() }
        let claims = AccessTokenClaims(
            issuer: relyingParty, subject: user, audience: relyingParty, clientID: client, id: id, issuedAt: now,
            expiresAt: now + life, device: device, session: session, authentication: authentication,
            possessionKey: possessionKey)
        let unsigned = UnsignedJWS(claims, header: key.tokenHeader)
        do {
            let signature = try key.privateKey.signature(for: SHA256.digest(of: unsigned.signingInput))
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
