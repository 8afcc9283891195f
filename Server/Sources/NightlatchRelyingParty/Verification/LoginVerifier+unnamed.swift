import NightlatchTokenVerification
package import NightlatchWire

extension LoginVerifier {
    /// How many keys are tried at least before a login that names neither device nor key is refused: an unknown user, and one
    /// who has a few devices, cost the same work.
    package static let leastKeyCount = 4

    /// The key that the header of `message` names, to look for its device. Nothing is verified.
    package func keyID(in message: String) throws(MessageRefusal) -> KeyID? {
        try CompactJWS(message, of: .login, refusal: MessageRefusal.self).header.keyID
    }

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
        let tried = keys(for: jws.header, signatureByteCount: jws.signature.count, among: devices)
        guard let signer = tried.first(where: { jws.isSigned(by: $0.key) })?.device else { throw .wrongSignature }
        let claims: LoginClaims = try jws.signedAnswer(
            of: signer, through: clients, user: expectation.user, relyingParty: relyingParty,
            challenge: expectation.challenge, now: now)
        return try VerifiedLogin(verified: claims, device: signer, messageHash: MessageHash(of: message))
    }

    /// What a message with `header` and a signature of so many bytes is tried against, in this order: the keys of `devices` that it may be by,
    /// then decoys, until there are as many as are tried for an unknown user.
    package func keys(
        for header: JWSHeader,
        signatureByteCount: Int,
        among devices: [RegisteredDevice]
    ) -> [(key: PublicJWK, device: RegisteredDevice?)] {
        var keys: [(key: PublicJWK, device: RegisteredDevice?)] = devices.filter { device in
            device.algorithm == header.algorithm && device.key.canMakeSignature(byteCount: signatureByteCount)
                && (header.keyID == nil || header.keyID == device.keyID)
        }.map { ($0.key, $0) }
        let least = header.keyID == nil ? Self.leastKeyCount : 1
        while keys.count < least,
            let decoy = decoys.readKey(for: header.algorithm, signatureByteCount: signatureByteCount)
        {
            keys.append((decoy, nil))
        }
        return keys
    }
}
