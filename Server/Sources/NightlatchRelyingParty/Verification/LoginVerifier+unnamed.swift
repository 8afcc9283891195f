import NightlatchTokenVerification
package import NightlatchWire

extension LoginVerifier {
    /// The smallest number of keys that are tried for a login that names neither a device nor a key.
    ///
    /// Refusing an unknown user therefore takes the same work as refusing a user with a few devices.
    package static let leastKeyCount = 4

    /// The id of the key that the header of `message` names, to look up its device. Nothing is verified.
    package func keyID(in message: String) throws(MessageRefusal) -> KeyID? {
        try CompactJWS(message, of: .login, refusal: MessageRefusal.self).header.keyID
    }

    /// As ``verify(_:by:through:expecting:now:)``, for a login that names no device: one of `devices` must have signed
    /// it.
    ///
    /// If the header names a key (`kid`), only that key is tried, otherwise every key with the message's algorithm. If
    /// none made the signature, the refusal is the same whether or not the user exists.
    ///
    /// The refusal takes as long as checking ``leastKeyCount`` wrong signatures, or one for each device if the user has
    /// more devices. If the header names a key, the refusal takes as long as checking one wrong signature.
    package func verify(
        _ message: String,
        byOneOf devices: [DeviceRecord],
        through clients: Set<ClientID>,
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

    /// The keys to try for a message with `header` and a signature of this length, in this order: the keys of `devices`
    /// that may have made it, then decoys, until there are as many keys as for an unknown user.
    package func keys(
        for header: JWSHeader,
        signatureByteCount: Int,
        among devices: [DeviceRecord]
    ) -> [(key: PublicJWK, device: DeviceRecord?)] {
        var keys: [(key: PublicJWK, device: DeviceRecord?)] = devices.filter { device in
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
