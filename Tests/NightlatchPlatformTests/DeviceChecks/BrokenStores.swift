import Nightlatch
import NightlatchTesting

/// A store whose two writers meet: the first one that replaces revision 5 waits for the second one, so exactly one of
/// them loses.
struct MeetingStore: SecureStore {
    let base: any SecureStore
    let meeting: Meeting

    var guarantees: StoreGuarantees { base.guarantees }

    func read() async throws(StoreError) -> StoredRecord? { try await base.read() }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        if expected == 5 { await meeting.meet() }
        try await base.replace(record, expecting: expected)
    }

    func remove(expecting expected: UInt64) async throws(StoreError) { try await base.remove(expecting: expected) }

    func erase() async throws(StoreError) { try await base.erase() }
}

/// The meeting of two callers. Later callers pass.
actor Meeting {
    private var first: CheckedContinuation<Void, Never>?
    private var isOver = false

    func meet() async {
        guard !isOver else { return }
        if let first {
            isOver = true
            return first.resume()
        }
        await withCheckedContinuation { first = $0 }
    }
}

/// A store that breaks a promise at its writes.
struct BrokenStore: SecureStore {
    enum Fault: Sendable {
        /// A write that expects an old revision replaces the newer record.
        case acceptsOldRevisions
        /// The write of this revision is reported as done, and is not done.
        case drops(UInt64)
        /// A second write finds no record.
        case conflictsAtSecondWrite
        /// Records above this number of bytes are refused.
        case refuses(above: Int, StoreError.Code)
    }

    let base: any SecureStore
    let fault: Fault

    var guarantees: StoreGuarantees { base.guarantees }

    func read() async throws(StoreError) -> StoredRecord? { try await base.read() }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        switch fault {
        case .acceptsOldRevisions: try await base.replace(record, expecting: try await base.read()?.revision)
        case .drops(record.revision): return
        case .conflictsAtSecondWrite where expected == 2: throw StoreError(.conflict)
        case .refuses(let limit, let code) where record.bytes.count > limit:
            throw StoreError(code, systemStatus: -25302)
        case .drops, .conflictsAtSecondWrite, .refuses: try await base.replace(record, expecting: expected)
        }
    }

    func remove(expecting expected: UInt64) async throws(StoreError) { try await base.remove(expecting: expected) }

    func erase() async throws(StoreError) { try await base.erase() }
}
