package import NightlatchWire

/// Signs what is answered about two-party PINs, so that a device can tell this relying party's word from that of something in between
/// (``PinAnswerClaims``). It is derived from the master key, as what seals the epochs' keys is, and changes with it alone.
package struct PinAnswerKey: Sendable {
    private let key: DerivedSigningKey
    private let issuer: Issuer

    package init(masterKey: MasterKey, issuer: Issuer) {
        key = DerivedSigningKey(masterKey: masterKey, for: .pinAnswer)
        self.issuer = issuer
    }

    /// What devices pin.
    package var publicKey: PublicJWK { key.publicKey }

    /// Signs an answer with `content`, to a request whose body was `request`.
    package func sign(_ request: [UInt8], status: Int, answer content: [UInt8]) throws(Refusal) -> String {
        do {
            return try key.sign(PinAnswerClaims(issuer: issuer, request: request, status: status, answer: content))
        } catch {
            throw .internalError
        }
    }
}
