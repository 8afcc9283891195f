public import NightlatchWire

/// The reason that an operator gives for an action: 1 to 200 characters, of the same kind as in a `DeviceName`.
///
/// It stays in the audit log, also after its user was deleted. So it should name a ticket, not a person.
public typealias AuditReason = Identifier<AuditReasonRule>

public enum AuditReasonRule: ShownTextRule {
    public static let name = "reason"
    public static let characterCountLimit = 200
}
