/// A store for one record: an item of the Keychain, a file, memory.
///
/// A record is written only as a whole, and only by compare-and-swap. So two writers cannot both win, and a crash
/// leaves the old record or the new one.
///
/// Every store accepts records of 512 KiB, twice the greatest size of a vault's record. A store either returns a larger
/// record as it was written, or refuses to write it.
public protocol SecureStore: Sendable {
    /// The guarantees of the place that holds the record.
    var guarantees: StoreGuarantees { get }

    /// The key that authenticates the count of failed PINs in the record. Nil if the store has none, which is the
    /// default.
    ///
    /// A store has this key from its first record on, or never. With a key, a record without a valid MAC is corrupt.
    /// Without a key, a record with a MAC is refused.
    var recordKey: (any RecordKey)? { get }

    /// Returns the record, or nil if there is none.
    ///
    /// A caller must not remove anything because this returns nil: the vault counts as missing, and a caller that
    /// expects a record asks again. Some systems are known to miss an existing record. An adapter over such a system
    /// asks a second time, in another way.
    ///
    /// - Throws: ``StoreError`` if it is not known whether there is a record. An error never means that there is none.
    func read() async throws(StoreError) -> StoredRecord?

    /// Writes `record` in place of the record with the revision `expected`, or as the first record if `expected` is
    /// nil. The record is durable when this returns.
    ///
    /// - Throws: ``StoreError``.
    ///   - With ``StoreError/Code/conflict`` if there is another revision: read again and decide again.
    ///   - With ``StoreError/Code/full`` also if the record is larger than the store accepts.
    ///   - After any other error than a conflict, the store has either the complete old record or the complete new one.
    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError)

    /// Removes the record with the revision `expected`. It is gone for good when this returns.
    ///
    /// - Throws: The same errors as ``replace(_:expecting:)``.
    func remove(expecting expected: UInt64) async throws(StoreError)

    /// Removes the record, whatever its revision, even if it is damaged. It is gone for good when this returns.
    ///
    /// - Throws: ``StoreError``, never with ``StoreError/Code/conflict``; the record may still exist then.
    func erase() async throws(StoreError)
}

extension SecureStore {
    public var recordKey: (any RecordKey)? { nil }
}

/// A record as a store sees it: bytes, and a revision that increases with every write.
public struct StoredRecord: Hashable, Sendable {
    public let revision: UInt64
    public let bytes: [UInt8]

    public init(revision: UInt64, bytes: [UInt8]) {
        self.revision = revision
        self.bytes = bytes
    }
}

extension StoredRecord: CustomStringConvertible, CustomReflectable {
    /// The size and the revision. Omits the bytes, which may be a private key or allow an attacker to guess a PIN.
    public var description: String { "(record of \(bytes.count) bytes, revision \(revision))" }

    public var customMirror: Mirror { Mirror(self, children: ["revision": revision, "byteCount": bytes.count]) }
}
