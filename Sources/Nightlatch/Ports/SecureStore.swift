/// Where one record is kept: an item of the Keychain, a file, memory.
///
/// There is no way to write but by compare-and-swap of the whole record, so no half state can exist: two writers cannot both
/// win, and a crash leaves the old record or the new one.
///
/// Every store holds records of 512 KiB, which is twice what a vault's may have. A store that holds larger ones gives them back
/// as they were written; one that does not refuses them.
public protocol SecureStore: Sendable {
    /// What the place where the record lies promises.
    var guarantees: StoreGuarantees { get }

    /// The key that vouches for the count of failures in the record; nil where the place offers none, which is the default.
    ///
    /// A store has it from its first record on, or never: a record without a MAC, or with a wrong one, is corrupt where there is a
    /// key, and one with a MAC is refused where there is none.
    var recordKey: (any RecordKey)? { get }

    /// The record, or nil if there is none.
    ///
    /// Nil removes nothing: a vault that is not found is missing, and a caller that knows of it asks again. An adapter over a system that is
    /// known not to find what is there asks the system a second time, in another way.
    ///
    /// - Throws: ``StoreError`` if it cannot be told. That is never "none".
    func read() async throws(StoreError) -> StoredRecord?

    /// Writes `record` in the place of the one with the revision `expected`, or where there is none if that is nil. It is
    /// durable when this returns.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/conflict`` if another revision is there now: read again and decide
    ///   anew. With ``StoreError/Code/full`` also for a record that is larger than the store holds. After any other error
    ///   than a conflict either the old or the new record is there, whole.
    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError)

    /// Removes the record with the revision `expected`. It is gone for good when this returns.
    ///
    /// - Throws: As ``replace(_:expecting:)``.
    func remove(expecting expected: UInt64) async throws(StoreError)

    /// Removes whatever is there, damaged or not. It is gone for good when this returns.
    ///
    /// - Throws: ``StoreError``, never with ``StoreError/Code/conflict``; the record may be there still.
    func erase() async throws(StoreError)
}

extension SecureStore {
    public var recordKey: (any RecordKey)? { nil }
}

/// A record as a store sees it: bytes, and the number that moves with every write.
public struct StoredRecord: Hashable, Sendable {
    public let revision: UInt64
    public let bytes: [UInt8]

    public init(revision: UInt64, bytes: [UInt8]) {
        self.revision = revision
        self.bytes = bytes
    }
}

extension StoredRecord: CustomStringConvertible, CustomReflectable {
    /// Without the bytes, which can be a private key or what a PIN can be guessed by.
    public var description: String { "(record of \(bytes.count) bytes, revision \(revision))" }

    public var customMirror: Mirror { Mirror(self, children: ["revision": revision, "byteCount": bytes.count]) }
}
