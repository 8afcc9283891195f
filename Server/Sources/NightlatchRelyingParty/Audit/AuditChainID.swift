public import NightlatchWire

/// The id of one chain of the audit log: 16 random bytes, made each time a store or one of its connections is opened.
public typealias AuditChainID = Identifier<AuditChainIDRule>

public enum AuditChainIDRule: BinaryIdentifierRule {
    public static let name = "audit chain id"
    public static let byteCount = 16
}
