import Crypto
import Foundation
import NightlatchTokenVerification
package import NightlatchWire

/// A binding message that was verified. Only ``BindingVerifier`` makes one.
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

/// Verifies that a device has the key that it asks to bind.
package struct BindingVerifier: Sendable {
    package let relyingParty: Issuer
    package let clients: Set<ClientID>

    package init(relyingParty: Issuer, clients: Set<ClientID>) {
        self.relyingParty = relyingParty
        self.clients = clients
    }

    /// What the sealed handle says of the ceremony.
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

    /// The numbers are those of `docs/protocol.md`; the handle was opened before.
    ///
    /// 2. `message` is a compact JWS; no critical extension; its `typ` is that of a binding.
    /// 3. Its header carries a public key (`jwk`) and names no other (`kid`).
    /// 4. The key's thumbprint is the one that was named at the beginning.
    /// 5. The algorithm is one of that key, and the signature is by it.
    /// 6. Only now the claims are read, strictly.
    /// 7. `aud` is this relying party alone, `iss` an app that it knows, `sub` the user of the code, `challenge` the one that
    ///    was given, and the possession key is another than the device's.
    /// 8. The message lives at most 60 seconds and is alive, with 60 seconds of clock skew either way.
    package func verify(
        _ message: String,
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
