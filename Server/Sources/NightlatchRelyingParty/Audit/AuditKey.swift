public import NightlatchWire

/// Signs the heads of the audit log.
///
/// The key is a kept secret, first derived from the master key: every process has the same key, and no rotation changes
/// it. A holder of the master key can sign other heads, but heads that were exported before still contradict them.
public struct AuditKey: Sendable {
    let key: DerivedSigningKey
    /// The key that verifies exported heads. It may be published.
    public var publicKey: PublicJWK { key.publicKey }

    /// The key of a store whose master key was never rotated.
    public init(masterKey: MasterKey) {
        self.init(KeptSecrets(derivedFrom: masterKey))
    }

    package init(_ kept: KeptSecrets) {
        key = DerivedSigningKey(material: kept.auditHead)
    }

    /// Signs `head` as a compact JWS with `typ` `nightlatch-audit-head+jwt`.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    public func sign(_ head: AuditHead, at time: NumericDate) throws -> String {
        try key.sign(AuditHeadClaims(issuedAt: time, head: head))
    }
}
