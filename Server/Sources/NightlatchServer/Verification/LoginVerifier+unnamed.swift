import NightlatchTokenVerification
package import NightlatchWire

extension LoginVerifier {
    /// How many keys are tried at least before a login that names neither device nor key is refused: an unknown user, and one
    /// who has a few devices, cost the same work.
    package static let leastKeyCount = 4

    /// As ``verify(_:by:expecting:now:)``, for a login that names no device: by whichever of `devices` has signed it.
    ///
    /// If the header names a key (`kid`), that one alone is tried, else each that does the message's algorithm. A login that none has
    /// signed is one refusal, whether there is such a user or not, and takes as long as ``leastKeyCount`` wrong signatures (one, if it
    /// names a key), or as many as the user has devices if that is more.
    package func verify(
        _ message: String,
        byOneOf devices: [RegisteredDevice],
        expecting expectation: Expectation,
        now: NumericDate
    ) throws(MessageRefusal) -> VerifiedLogin {
        let jws = try CompactJWS(message, of: .login, refusal: MessageRefusal.self)
        let (algorithm, named) = (jws.header.algorithm, jws.header.keyID)
        let candidates = devices.filter { device in
            device.key.algorithms.contains(algorithm) && (named == nil || named == device.key.thumbprint)
        }
        guard let signer = candidates.first(where: { jws.isSigned(by: $0.key) }) else {
            let least = named == nil ? Self.leastKeyCount : 1
            for _ in candidates.count..<max(candidates.count, least) {
                if let decoy = decoys.readKey(for: algorithm) { _ = jws.isSigned(by: decoy) }
            }
            throw .wrongSignature
        }
        let claims: LoginClaims = try jws.signedAnswer(
            of: signer, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        return VerifiedLogin(verified: claims, device: signer, messageHash: MessageHash(of: message))
    }
}
