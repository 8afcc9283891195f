import Foundation
package import NightlatchWire

/// A DPoP proof that was verified for one request. Only ``DPoPVerifier`` makes one.
package struct VerifiedDPoPProof: Hashable, Sendable {
    /// The key that the sender has proved to hold.
    package let key: KeyID

    fileprivate init(key: KeyID) {
        self.key = key
    }
}

/// Verifies that the sender of a request holds a possession key ([RFC 9449, section
/// 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3)).
///
/// Proofs are not recorded: that would cost a write for each request. An attacker who can read a request in transit can
/// therefore send the same request again, from anywhere, until its nonce is two minutes old. TLS prevents this.
package struct DPoPVerifier: Sendable {
    /// The server that receives the requests.
    package let server: Issuer
    /// The nonces that proofs must contain; nil if the age of a proof depends on its device's clock instead.
    package let nonces: DPoPNonces?

    package init(server: Issuer, nonces: DPoPNonces?) {
        self.server = server
        self.nonces = nonces
    }

    /// The request that the proof must be for.
    package struct Expectation: Sendable {
        package let method: String
        /// The path on the server.
        ///
        /// The verifier combines it with the server's configured name, because the `Host` header cannot be trusted.
        package let path: String
        package let accessToken: AccessToken?
        /// The key that must sign the proof; nil if any key may.
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

    /// Verifies the proof of a request. The numbers are those of the RFC's list; the order is that of the checks.
    ///
    /// 1. There is one `DPoP` header.
    /// 2. It is one well-formed JWT.
    /// 4. `typ` is `dpop+jwt`.
    /// 5. `alg` is an asymmetric algorithm that fits the key in the header.
    /// 6. That key made the signature.
    /// 7. The key has no private member.
    /// 3. All required claims are present.
    /// 8. `htm` is the method.
    /// 9. `htu` is the address, without query and fragment.
    /// 10. If a nonce is required, `nonce` was made by the server and is at most two minutes old.
    /// 11. The nonce determines the proof's age. If no nonce is required, `iat` differs from the current time by at
    ///    most 60 seconds.
    /// 12. `ath` is the hash of the request's access token, and the key is the one that the token is bound to.
    package func verify(
        _ proofs: [String],
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(DPoPRefusal) -> VerifiedDPoPProof {
        guard let proof = proofs.first, proofs.count == 1 else { throw .notExactlyOneProof }
        let jws = try CompactJWS(proof, of: .dpop, refusal: DPoPRefusal.self)
        // A `kid` in the header is ignored: the key itself is used and compared.
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
