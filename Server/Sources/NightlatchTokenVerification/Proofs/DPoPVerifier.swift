import Foundation
package import NightlatchWire

/// A DPoP proof that was verified for one request. Only ``DPoPVerifier`` makes one.
package struct VerifiedDPoPProof: Hashable, Sendable {
    /// The key that the sender has shown to have.
    package let key: KeyID

    fileprivate init(key: KeyID) {
        self.key = key
    }
}

/// Verifies that the sender of a request has a possession key
/// ([RFC 9449, section 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3)).
///
/// A proof is not remembered: that would cost a write for each request. Whoever can read a request on its way can therefore send
/// the very same request again until its nonce is two minutes old, from elsewhere too. TLS is what keeps them from it.
package struct DPoPVerifier: Sendable {
    /// The server that the requests go to.
    package let server: Issuer
    /// What the proofs must carry; nil where a proof is dated by its device's clock instead.
    package let nonces: DPoPNonces?

    package init(server: Issuer, nonces: DPoPNonces?) {
        self.server = server
        self.nonces = nonces
    }

    /// What the request must be matched by.
    package struct Expectation: Sendable {
        package let method: String
        /// The path at the server. The address is put together from its own name; what the `Host` header says is
        /// hearsay.
        package let path: String
        package let accessToken: AccessToken?
        /// The key that must have made the proof; nil where any key will do.
        package let key: KeyID?

        package init(method: String, path: String, accessToken: AccessToken? = nil, key: KeyID? = nil) {
            self.method = method
            self.path = path
            self.accessToken = accessToken
            self.key = key
        }

        /// A request to `route`, without an access token.
        package init(route: Route, key: KeyID? = nil) {
            self.init(method: route.method.rawValue, path: route.path, key: key)
        }
    }

    /// The numbers are those of the RFC's list.
    ///
    /// 1. There is one `DPoP` header.
    /// 2. It is one well-formed JWT.
    /// 4. `typ` is `dpop+jwt`.
    /// 5. `alg` is an asymmetric algorithm, of the key in the header.
    /// 6. The signature is by that key.
    /// 7. The key has no private member.
    /// 3. The claims are all there.
    /// 8. `htm` is the method.
    /// 9. `htu` is the address, without query and fragment.
    /// 10. `nonce` is one of the server's and at most two minutes old, where one is demanded.
    /// 11. That is the proof's age. Where no nonce is demanded, `iat` is at most 60 seconds away.
    /// 12. `ath` is the hash of the access token beside it, and the key the one that the token is bound to.
    package func verify(
        _ proofs: [String],
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(DPoPRefusal) -> VerifiedDPoPProof {
        guard let proof = proofs.first, proofs.count == 1 else { throw .notExactlyOneProof }
        let jws = try CompactJWS(proof, of: .dpop, refusal: DPoPRefusal.self)
        // A `kid` beside the key says nothing that counts: the key itself is what is signed with and what is expected.
        guard let headerKey = jws.header.key else { throw .keyNotNamed }
        guard jws.isSigned(by: headerKey) else { throw .wrongSignature }
        let claims: DPoPClaims = try jws.verifiedClaims(refusal: DPoPRefusal.self)
        let key = headerKey.thumbprint
        guard claims.method == expectation.method else { throw .wrongMethod }
        guard RequestAddress.isSame(claims.url, server.rawValue + expectation.path) else { throw .wrongURL }
        try checkAge(of: claims, now: now)
        guard claims.accessTokenHash == expectation.accessToken.map(AccessTokenHash.init(of:)) else {
            throw .wrongAccessToken
        }
        guard expectation.key == nil || expectation.key == key else { throw .wrongKey }
        return VerifiedDPoPProof(key: key)
    }

    private func checkAge(of claims: DPoPClaims, now: NumericDate) throws(DPoPRefusal) {
        guard let nonces else {
            let tolerance = MessageLife.clockTolerance
            guard now <= claims.issuedAt + tolerance, claims.issuedAt <= now + tolerance else { throw .wrongTime }
            return
        }
        guard let nonce = claims.nonce else { throw .nonceMissing }
        guard nonces.isGood(nonce, at: now) else { throw .nonceRefused }
    }
}
