package import NightlatchWire

/// The payload of a line that states that an exported head is lost: an operator accepts a restored store without it.
struct AuditRestoreClaims: MessageClaims, Hashable {
    static let messageType = MessageType.auditRestore

    let issuedAt: NumericDate
    /// The head that the store no longer reaches.
    let head: AuditHead

    private enum CodingKeys: String, CodingKey {
        case issuedAt = "iat"
        case head
    }
}

extension AuditKey {
    /// Signs the acceptance of a lost head as a compact JWS with `typ` `nightlatch-audit-restore+jwt`.
    ///
    /// - Throws: An error of the cryptographic library, which is a defect.
    package func sign(lost head: AuditHead, at time: NumericDate) throws -> String {
        try key.sign(AuditRestoreClaims(issuedAt: time, head: head))
    }
}
