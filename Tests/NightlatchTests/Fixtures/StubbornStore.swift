import Nightlatch
import NightlatchTesting

/// A store that can be made to refuse every write as a conflict, and counts the refusals.
struct StubbornStore: SecureStore {
    enum Mood: Sendable {
        case works
        /// Finds no record, and refuses a new one because there is one.
        case hides
        /// Finds the record, and does not find it when a write should replace it.
        case refuses
        /// Another caller writes before every write.
        case isOvertaken(by: @Sendable () async -> Void)
    }

    let base: any SecureStore
    private let state = Shared<(mood: Mood, refusals: Int)>((.works, 0))

    init(_ base: any SecureStore = MemoryStore()) { self.base = base }

    var guarantees: StoreGuarantees { base.guarantees }
    var refusals: Int { state.withLock { $0.refusals } }

    func become(_ mood: Mood) { state.withLock { $0 = (mood, 0) } }

    func read() async throws(StoreError) -> StoredRecord? {
        if case .hides = state.withLock({ $0.mood }) { return nil }
        return try await base.read()
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        try await refuse()
        try await base.replace(record, expecting: expected)
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        try await refuse()
        try await base.remove(expecting: expected)
    }

    func erase() async throws(StoreError) { try await base.erase() }

    private func refuse() async throws(StoreError) {
        switch state.withLock({ $0.mood }) {
        case .works: return
        case .hides, .refuses:
            state.withLock { $0.refusals += 1 }
            throw StoreError(.conflict)
        case .isOvertaken(let other):
            state.withLock { $0.refusals += 1 }
            await other()
        }
    }
}

/// Records the waits between tries, without waiting.
struct CountedWaits: Sendable {
    private let waits = Shared<[Duration]>([])

    var count: Int { waits.withLock { $0.count } }
    var longest: Duration? { waits.withLock { $0.max() } }

    func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        try await ConflictBackoff.$wait.withValue({ time in waits.withLock { $0.append(time) } }, operation: body)
    }
}
