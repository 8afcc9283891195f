public import NightlatchWire

/// Signs the heads of the audit log.
///
/// The key is derived from the master key: every process has the same key, and rotations of the token signing keys do
/// not change it. A holder of the master key can sign other heads, but heads that were exported before still contradict
/// them.
public struct AuditKey: Sendable {
    let key: DerivedSigningKey
    /// The key that verifies exported heads. It may be published.
    public var publicKey: PublicJWK { key.publicKey }

    public init(masterKey: MasterKey) {
        key = DerivedSigningKey(masterKey: masterKey, for: .auditHead)
    }

    /// Signs `head` as a compact JWS with `typ` `nightlatch-audit-head+jwt`.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    public func sign(_ head: AuditHead, at time: NumericDate) throws -> String {
        try key.sign(AuditHeadClaims(issuedAt: time, head: head))
    }
}
