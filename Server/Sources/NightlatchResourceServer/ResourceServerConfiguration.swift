public import NightlatchTokenVerification
public import NightlatchWire

/// The configuration of a resource server: its address, and the relying party whose tokens it accepts.
public struct ResourceServerConfiguration: Sendable {
    /// The relying party that issues the tokens, `iss`.
    public let relyingParty: Issuer
    /// The root of the resource server's addresses as clients see them.
    ///
    /// Proofs are verified against this address, because the `Host` header cannot be trusted.
    public let server: Issuer
    /// The audience that the tokens must have, `aud`; by default the relying party itself.
    public var audience: Issuer
    /// The apps whose tokens are accepted; nil for all that the relying party serves.
    public var clients: Set<ClientID>?
    /// The nonces that proofs must contain; nil if proofs need no nonce.
    ///
    /// Without nonces, a proof's age depends on its device's clock, which may be at most a minute off. With nonces, the
    /// age does not depend on that clock, and each response contains the next nonce.
    public var nonces: DPoPNonces?

    public init(relyingParty: Issuer, server: Issuer) {
        self.relyingParty = relyingParty
        self.server = server
        audience = relyingParty
    }
}
