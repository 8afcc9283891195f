package import NightlatchWire

/// Signs responses about two-party PINs, so that a device can detect responses that an attacker on the network made
/// (``PinAnswerClaims``). It also signs policies (``PolicyClaims``).
///
/// The key is a kept secret: devices pinned its public part when they were bound, so a rotation of the master key does
/// not change it.
package struct PinAnswerKey: Sendable {
    private let key: DerivedSigningKey
    private let issuer: Issuer

    package init(_ kept: KeptSecrets, issuer: Issuer) {
        key = DerivedSigningKey(material: kept.pinAnswer)
        self.issuer = issuer
    }

    /// The public key that devices pin.
    package var publicKey: PublicJWK { key.publicKey }

    /// Signs a response with the body `content` to a request with the body `request`.
    package func sign(_ request: [UInt8], status: Int, answer content: [UInt8]) throws(Refusal) -> String {
        do {
            return try key.sign(PinAnswerClaims(issuer: issuer, request: request, status: status, answer: content))
        } catch {
            throw .internalError
        }
    }

    /// Signs a policy.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    func sign(_ policy: PolicyClaims) throws -> String { try key.sign(policy) }
}
