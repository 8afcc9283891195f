import Crypto
import Foundation
import NightlatchTokenVerification
public import NightlatchWire

/// The hash of one entry of the audit log: SHA-256 over a label, the previous entry's hash (zeros for a chain's first
/// entry) and the entry's bytes.
public typealias AuditHash = Identifier<AuditHashRule>

public enum AuditHashRule: BinaryIdentifierRule {
    public static let name = "audit hash"
    public static let byteCount = 32
}

extension Identifier where Rule == AuditHashRule {
    /// The previous hash of a chain's first entry.
    package static let start = AuditHash(unchecked: [UInt8](repeating: 0, count: AuditHashRule.byteCount))

    private static let label = Data("nightlatch audit entry v1\n".utf8)

    package init(of body: [UInt8], after previous: AuditHash) {
        var hash = SHA256()
        // Label and previous hash have a fixed length, so no two inputs give the same bytes.
        hash.update(data: Self.label)
        hash.update(data: previous.bytes)
        hash.update(data: body)
        self.init(unchecked: hash.finalize().bytes)
    }

    /// Requires 32 bytes.
    private init(unchecked bytes: [UInt8]) {
        guard let hash = Self(bytes: bytes) else { preconditionFailure("a hash of \(bytes.count) bytes") }
        self = hash
    }
}
