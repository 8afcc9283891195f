public import NightlatchWire

/// One chain of the audit log: 16 random bytes, made anew by each store that is opened, or by each of its connections.
public typealias AuditChainID = Identifier<AuditChainIDRule>

public enum AuditChainIDRule: BinaryIdentifierRule {
    public static let name = "audit chain id"
    public static let byteCount = 16
}
