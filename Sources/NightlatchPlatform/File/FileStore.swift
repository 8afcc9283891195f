import Crypto
public import Nightlatch

/// A record in a file with mode 0600. Writes use a temporary file and a rename, are forced to the disk, and hold a lock
/// against other processes.
///
/// A write waits up to ten seconds for another process's lock, or one second if its task is cancelled. Then it throws
/// `StoreError.Code.unavailable` with `StoreError.Reason.lockHeld(path:)`.
///
/// Limits: a party that can read the file can copy it to another machine. A party that can write it can put back an old
/// copy, which also resets a lockout's count. ``guarantees`` states both limits.
///
/// The file is at most 1 MiB: three bytes `NLS`, the format's version as a digit, `1`, the revision in eight bytes,
/// most significant first, SHA-256 of revision and record, and the record.
public struct FileStore: SecureStore {
    private static let magic = Array("NLS".utf8)
    private static let version = UInt8(ascii: "1")
    private static let laterVersions = UInt8(ascii: "2")...UInt8(ascii: "9")
    private static let headerByteCount = 4 + 8 + 32
    private static let byteCountLimit = 1024 * 1024

    /// Whether files usually outlive the app that wrote them. On iOS and related systems they are removed with the app.
    /// On a Mac they remain, also with Mac Catalyst.
    public static let filesSurviveReinstall = SystemFiles.surviveReinstall

    private let file: DurableFile
    private let survivesReinstall: Bool
    private let patience: LockPatience
    private let blocking = BlockingCalls(label: "nightlatch.file-store")

    /// Creates a store for one file.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder is made with mode 0700 at the first write.
    ///   - survivesReinstall: The value for ``guarantees``: whether the file outlives the app's removal.
    public init(path: String, survivesReinstall: Bool = FileStore.filesSurviveReinstall) {
        self.init(path: path, survivesReinstall: survivesReinstall, patience: .standard)
    }

    /// - Parameter patience: The time that writes wait for another process's lock.
    package init(
        path: String,
        survivesReinstall: Bool = FileStore.filesSurviveReinstall,
        patience: LockPatience
    ) {
        self.survivesReinstall = survivesReinstall
        self.patience = patience
        file = DurableFile(path: path)
    }

    public var guarantees: StoreGuarantees {
        StoreGuarantees(isDeviceBound: false, survivesReinstall: survivesReinstall, resistsRollback: false)
    }

    public func read() async throws(StoreError) -> StoredRecord? {
        try await blocking.run { () throws(StoreError) in try currentRecord() }
    }

    public func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        // A record that is too large to be read back is not written.
        guard record.bytes.count <= Self.byteCountLimit - Self.headerByteCount else { throw StoreError(.full) }
        try await locked { () throws(StoreError) in
            try file.withLock { () throws(StoreError) in
                guard try currentRecord()?.revision == expected else { throw StoreError(.conflict) }
                let revision = Self.bytes(of: record.revision)
                let digest = SHA256.hash(data: revision + record.bytes)
                try file.replace(with: Self.magic + [Self.version] + revision + digest + record.bytes)
            }
        }
    }

    public func remove(expecting expected: UInt64) async throws(StoreError) {
        try await locked { () throws(StoreError) in
            try file.withLock { () throws(StoreError) in
                guard try currentRecord()?.revision == expected else { throw StoreError(.conflict) }
                try file.remove()
            }
        }
    }

    public func erase() async throws(StoreError) {
        try await locked { () throws(StoreError) in
            try file.withLock { () throws(StoreError) in try file.remove() }
        }
    }

    /// Makes a call that needs the lock. Repeats it while another process holds the lock.
    private func locked(_ call: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError) {
        try await patience.run { () async throws(StoreError) in try await blocking.run(call) }
    }

    private func currentRecord() throws(StoreError) -> StoredRecord? {
        // Reading one more byte reveals a file that is too large.
        guard let bytes = try file.read(byteCountLimit: Self.byteCountLimit + 1) else { return nil }
        guard bytes.starts(with: Self.magic), let version = bytes.dropFirst(Self.magic.count).first else {
            throw StoreError(.corrupt)
        }
        // Checked first, because another version may have another shape and size.
        guard !Self.laterVersions.contains(version) else { throw StoreError(.newerFormat) }
        guard version == Self.version, (Self.headerByteCount...Self.byteCountLimit).contains(bytes.count) else {
            throw StoreError(.corrupt)
        }
        let revision = bytes[4..<12]
        let record = Array(bytes[Self.headerByteCount...])
        guard SHA256.hash(data: revision + record) == bytes[12..<Self.headerByteCount] else {
            throw StoreError(.corrupt)
        }
        return StoredRecord(revision: revision.reduce(0) { $0 << 8 | UInt64($1) }, bytes: record)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
