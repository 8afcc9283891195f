import NightlatchWire

/// The payload of an exported ``AuditHead``.
struct AuditHeadClaims: MessageClaims, Hashable {
    static let messageType = MessageType.auditHead

    let issuer: Issuer
    let issuedAt: NumericDate
    let head: AuditHead

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case issuedAt = "iat"
        case head
    }
}
