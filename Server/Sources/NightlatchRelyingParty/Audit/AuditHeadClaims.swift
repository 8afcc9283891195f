import NightlatchWire

/// The payload of an exported ``AuditHead``.
struct AuditHeadClaims: MessageClaims, Hashable {
    static let messageType = MessageType.auditHead

    let issuedAt: NumericDate
    let head: AuditHead

    private enum CodingKeys: String, CodingKey {
        case issuedAt = "iat"
        case head
    }
}
