import Nightlatch

/// The encoding of a record as the value of a Keychain item.
enum KeychainRecord {
    private static let magic = Array("NLK".utf8)
    private static let version = UInt8(ascii: "1")
    private static let laterVersions = UInt8(ascii: "2")...UInt8(ascii: "9")
    private static let headerByteCount = 4 + 8
    private static let byteCountLimit = 1024 * 1024

    static let recordByteCountLimit = byteCountLimit - headerByteCount

    static func encode(_ record: StoredRecord) -> [UInt8] {
        magic + [version] + bytes(of: record.revision) + record.bytes
    }

    /// Decodes the value of an item.
    ///
    /// - Throws: `StoreError` for a value that is not from ``encode(_:)``, or with another revision than the item's
    ///   attribute.
    static func decode(_ found: KeychainCalls.Found) throws(StoreError) -> StoredRecord {
        guard let value = found.value, value.starts(with: magic), let version = value.dropFirst(magic.count).first
        else {
            throw StoreError(.corrupt)
        }
        guard !laterVersions.contains(version) else { throw StoreError(.newerFormat) }
        guard version == Self.version, (headerByteCount...byteCountLimit).contains(value.count),
            found.generic == Array(value[4..<headerByteCount])
        else { throw StoreError(.corrupt) }
        return StoredRecord(
            revision: value[4..<headerByteCount].reduce(0) { $0 << 8 | UInt64($1) },
            bytes: Array(value[headerByteCount...]))
    }

    static func bytes(of revision: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: revision >> (56 - 8 * $0)) }
    }
}
