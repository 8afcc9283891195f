public import NightlatchTokenVerification
public import NightlatchWire

/// Whose tokens a resource server takes, and for what.
public struct ResourceServerConfiguration: Sendable {
    /// The relying party that issues the tokens, `iss`.
    public let relyingParty: Issuer
    /// The root of the resource server's own addresses as clients see them. Proofs name their request by it; what the `Host` header
    /// says is hearsay.
    public let server: Issuer
    /// For whom the tokens must be issued, `aud`: the relying party itself, unless it is set.
    public var audience: Issuer
    /// The apps whose tokens are good; nil for all that the relying party serves.
    public var clients: Set<ClientID>?
    /// The nonces that proofs must carry. Without them a proof is dated by its device's clock, which may be a minute wrong and no
    /// more. With them it is not, and each answer brings the next nonce.
    public var nonces: DPoPNonces?

    public init(relyingParty: Issuer, server: Issuer) {
        self.relyingParty = relyingParty
        self.server = server
        audience = relyingParty
    }
}
