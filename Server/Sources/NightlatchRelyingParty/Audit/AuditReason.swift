public import NightlatchWire

/// The reason that an operator gives for an action: 1 to 200 characters, of the same kind as in a `DeviceName`.
///
/// It stays in the audit log. A ticket's number is a good reason, and the name of a person who is deleted is not.
public typealias AuditReason = Identifier<AuditReasonRule>

public enum AuditReasonRule: ShownTextRule {
    public static let name = "reason"
    public static let characterCountLimit = 200
}
