public import NightlatchWire

/// Signs the heads of the audit log. It is derived from the master key, so every process has the same one and it outlives all
/// changes of the keys that sign tokens.
///
/// Whoever has the master key can sign other heads; those that were exported before still stand against them.
public struct AuditKey: Sendable {
    private let key: DerivedSigningKey
    /// What exported heads can be verified with, also by others.
    public var publicKey: PublicJWK { key.publicKey }

    public init(masterKey: MasterKey) {
        key = DerivedSigningKey(masterKey: masterKey, for: .auditHead)
    }

    /// `head` as a compact JWS with `typ` `nightlatch-audit-head+jwt`.
    ///
    /// - Throws: What the cryptographic library throws: a defect.
    public func sign(_ head: AuditHead, at time: NumericDate) throws -> String {
        try key.sign(AuditHeadClaims(issuedAt: time, head: head))
    }
}
