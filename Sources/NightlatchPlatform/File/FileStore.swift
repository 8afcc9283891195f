import Crypto
public import Nightlatch

/// A record in a file: 0600, written aside and renamed, forced to the disk, locked against other processes.
///
/// A write waits ten seconds for a process that holds the lock, and then throws `StoreError.Code.unavailable` with
/// `StoreError.Reason.lockHeld(path:)`; one second if its task is cancelled.
///
/// What it cannot do: whoever can read the file can copy it to another machine, and put an old copy back, which sets a lockout's
/// count back with it. ``guarantees`` says so.
///
/// The file holds three bytes `NLS`, the format's version as a digit, `1`, the revision in eight bytes, most significant first,
/// SHA-256 over revision and record, and the record. It is at most 1 MiB large.
public struct FileStore: SecureStore {
    private static let magic = Array("NLS".utf8)
    private static let version = UInt8(ascii: "1")
    private static let laterVersions = UInt8(ascii: "2")...UInt8(ascii: "9")
    private static let headerByteCount = 4 + 8 + 32
    private static let byteCountLimit = 1024 * 1024

    /// Whether files usually outlive the app that wrote them. On iOS and its kin they go with the app; on a Mac they stay, under Mac
    /// Catalyst too.
    public static let filesSurviveReinstall = SystemFiles.surviveReinstall

    private let file: DurableFile
    private let survivesReinstall: Bool
    private let patience: LockPatience
    private let blocking = BlockingCalls(label: "nightlatch.file-store")

    /// - Parameters:
    ///   - path: The file; its folder is made with mode 0700 when it is first written to.
    ///   - survivesReinstall: What ``guarantees`` say of the path: whether the file outlives the app's removal.
    public init(path: String, survivesReinstall: Bool = FileStore.filesSurviveReinstall) {
        self.init(path: path, survivesReinstall: survivesReinstall, patience: .standard)
    }

    /// - Parameter patience: How long writes wait for another process that holds the lock.
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
        // What could not be read back is not written.
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

    /// Makes a call that needs the lock, again for as long as another process holds it.
    private func locked(_ call: @escaping @Sendable () throws(StoreError) -> Void) async throws(StoreError) {
        try await patience.run { () async throws(StoreError) in try await blocking.run(call) }
    }

    private func currentRecord() throws(StoreError) -> StoredRecord? {
        // One byte more shows that there are too many.
        guard let bytes = try file.read(byteCountLimit: Self.byteCountLimit + 1) else { return nil }
        guard bytes.starts(with: Self.magic), let version = bytes.dropFirst(Self.magic.count).first else {
            throw StoreError(.corrupt)
        }
        // Before anything else is looked at: another version may be of another shape and size.
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
