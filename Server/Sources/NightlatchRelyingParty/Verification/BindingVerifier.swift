import Crypto
import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// A verified binding message. Only ``BindingVerifier`` makes such a value.
package struct VerifiedBinding: Hashable, Sendable {
    package let key: PublicJWK
    package let algorithm: SignatureAlgorithm
    package let user: UserID
    package let client: ClientID
    package let possessionKey: KeyID
    package let deviceName: DeviceName
    package let messageHash: MessageHash

    fileprivate init(
        _ claims: BindingClaims,
        key: PublicJWK,
        algorithm: SignatureAlgorithm,
        messageHash: MessageHash
    ) {
        self.key = key
        self.algorithm = algorithm
        user = claims.subject
        client = claims.issuer
        possessionKey = claims.possessionKey
        deviceName = claims.deviceName
        self.messageHash = messageHash
    }
}

/// Verifies that a device holds the key that it wants to bind.
package struct BindingVerifier: Sendable {
    package let relyingParty: Issuer

    package init(relyingParty: Issuer) {
        self.relyingParty = relyingParty
    }

    /// The expected values, from the sealed handle.
    package struct Expectation: Hashable, Sendable {
        package let user: UserID
        package let deviceKey: KeyID
        package let challenge: Challenge

        package init(user: UserID, deviceKey: KeyID, challenge: Challenge) {
            self.user = user
            self.deviceKey = deviceKey
            self.challenge = challenge
        }
    }

    /// Verifies a binding message. The numbers are those of `docs/protocol.md`; the caller has done step 1: it has
    /// opened the handle.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a binding.
    /// 3. Its header contains a public key (`jwk`) and names no other (`kid`).
    /// 4. The key's thumbprint is the thumbprint that the client sent at the beginning of the ceremony.
    /// 5. The algorithm fits the key, and the key made the signature.
    /// 6. Only then the claims are parsed, strictly.
    /// 7. `aud` is only this relying party, `iss` is a permitted app, `sub` is the user of the code, `challenge` is the
    ///    ceremony's challenge, and the possession key differs from the device key.
    /// 8. The message's lifetime is at most 60 seconds, and it is valid now, with 60 seconds of clock tolerance on
    ///    either side.
    package func verify(
        _ message: String,
        through clients: Set<ClientID>,
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedBinding {
        let jws = try CompactJWS(message, of: .binding, refusal: MessageRefusal.self)
        guard let key = jws.header.key, jws.header.keyID == nil else { throw .keyNotNamed }
        guard key.thumbprint == expectation.deviceKey else { throw .wrongKey }
        guard jws.isSigned(by: key) else { throw .wrongSignature }
        let claims: BindingClaims = try jws.verifiedClaims(refusal: MessageRefusal.self)
        try claims.check(
            clients: clients, user: expectation.user, relyingParty: relyingParty, challenge: expectation.challenge,
            now: now)
        guard claims.possessionKey != key.thumbprint else { throw .wrongKey }
        return VerifiedBinding(
            claims, key: key, algorithm: jws.header.algorithm, messageHash: MessageHash(of: message))
    }
}
