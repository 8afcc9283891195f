import Nightlatch
import NightlatchTesting

/// A store whose calls fail in one range and work before and after it, while other stores over the same records always
/// work.
struct PartlyBrokenStore: SecureStore {
    private let base: any SecureStore
    private let brokenCalls: Range<Int>
    private let fault: FaultyStore.Fault
    private let callsMade = Shared(0)

    /// - Parameter brokenCalls: The calls that fail, counted from zero.
    init(_ base: any SecureStore, brokenCalls: Range<Int>, _ fault: FaultyStore.Fault = .before) {
        self.base = base
        self.brokenCalls = brokenCalls
        self.fault = fault
    }

    var guarantees: StoreGuarantees { base.guarantees }

    func read() async throws(StoreError) -> StoredRecord? {
        try await perform { () throws(StoreError) in try await base.read() }
    }

    func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        try await perform { () throws(StoreError) in try await base.replace(record, expecting: expected) }
    }

    func remove(expecting expected: UInt64) async throws(StoreError) {
        try await perform { () throws(StoreError) in try await base.remove(expecting: expected) }
    }

    func erase() async throws(StoreError) {
        try await perform { () throws(StoreError) in try await base.erase() }
    }

    private func perform<Value>(_ call: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        let index = callsMade.withLock { made in
            defer { made += 1 }
            return made
        }
        let isBroken = brokenCalls.contains(index)
        guard !isBroken || fault == .after else { throw StoreError(.unavailable) }
        let value = try await call()
        guard !isBroken else { throw StoreError(.unavailable) }
        return value
    }
}
