package import NightlatchWire

/// The payload of a line that states that an operator accepts a restored store.
///
/// Heads that were exported earlier may then exceed the audit log.
struct AuditRestoreClaims: MessageClaims, Hashable {
    static let messageType = MessageType.auditRestore

    let issuedAt: NumericDate

    private enum CodingKeys: String, CodingKey {
        case issuedAt = "iat"
    }
}

extension AuditKey {
    /// Signs the acceptance of a restored store as a compact JWS with `typ` `nightlatch-audit-restore+jwt`.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    package func signRestore(at time: NumericDate) throws -> String {
        try key.sign(AuditRestoreClaims(issuedAt: time))
    }
}
