public import Nightlatch

/// A store that fails at a chosen call, like a crash or a broken disk. All later calls fail too, until it is repaired.
public struct FaultyStore: SecureStore {
    /// The fault at the chosen call.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// The call does nothing.
        case before
        /// The call does its work, but its caller gets an error.
        case after
        /// A write is interrupted in the middle.
        ///
        /// ``FaultyStore/init(_:tearing:)`` sets what it leaves behind. Reads do nothing.
        case torn
    }

    private struct Plan {
        var callsMade = 0
        var fault: (call: Int, kind: Fault)?
        var missingCall: Int?
    }

    private let base: any SecureStore
    private let plan: Shared<Plan>
    private let tear: @Sendable (StoredRecord) -> Void

    /// Creates a store that works until a fault is set.
    ///
    /// - Parameters:
    ///   - base: The store that does the work.
    ///   - tear: Simulates an interrupted write of this record: it changes the stored data of `base`, for example to
    ///     the first half of the record.
    public init(_ base: any SecureStore, tearing tear: @escaping @Sendable (StoredRecord) -> Void = { _ in }) {
        self.base = base
        self.tear = tear
        plan = Shared(Plan())
    }

    /// Creates a store that shares its call count, faults and repairs with `other`, like all stores of one device.
    ///
    /// - Parameters:
    ///   - base: The store that does the work.
    ///   - other: The store that shares its faults with this one.
    ///   - tear: As in ``init(_:tearing:)``.
    public init(
        _ base: any SecureStore,
        failingWith other: FaultyStore,
        tearing tear: @escaping @Sendable (StoredRecord) -> Void = { _ in }
    ) {
        self.base = base
        self.tear = tear
        plan = other.plan
    }

    public var guarantees: StoreGuarantees { base.guarantees }

    public var recordKey: (any RecordKey)? { base.recordKey }

    /// The number of calls since the store was created or repaired.
    public var callCount: Int { plan.withLock { $0.callsMade } }

    /// Makes the `call`-th call from now (counted from zero) and every later call fail.
    public func fail(at call: Int, _ kind: Fault) {
        plan.withLock { $0 = Plan(fault: (call, kind)) }
    }

    /// Makes the store miss its record at the `call`-th call from now, counted from zero, and only then.
    ///
    /// A read then returns nil, and a write throws a conflict. A call that erases works as usual.
    public func missRecord(at call: Int) {
        plan.withLock { $0 = Plan(missingCall: call) }
    }

    /// Ends all faults, and counts calls from zero.
    public func repair() {
        plan.withLock { $0 = Plan() }
    }

    public func read() async throws(StoreError) -> StoredRecord? {
        // A read that only checks an open vault belongs to no operation, and can happen at any time. It is not counted.
        guard !VaultOpening.isLooking else { return try await base.read() }
        if isMissingNext { return try await perform { () throws(StoreError) in nil } }
        return try await perform { () throws(StoreError) in try await base.read() }
    }

    public func replace(_ record: StoredRecord, expecting expected: UInt64?) async throws(StoreError) {
        if plan.withLock({ $0.fault?.call == $0.callsMade && $0.fault?.kind == .torn }) { tear(record) }
        let isMissing = isMissingNext
        try await perform { () throws(StoreError) in
            guard !isMissing else { throw StoreError(.conflict) }
            try await base.replace(record, expecting: expected)
        }
    }

    public func remove(expecting expected: UInt64) async throws(StoreError) {
        let isMissing = isMissingNext
        try await perform { () throws(StoreError) in
            guard !isMissing else { throw StoreError(.conflict) }
            try await base.remove(expecting: expected)
        }
    }

    public func erase() async throws(StoreError) {
        try await perform { () throws(StoreError) in try await base.erase() }
    }

    private var isMissingNext: Bool { plan.withLock { $0.missingCall == $0.callsMade } }

    private func perform<Value>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let (isBroken, isFailing) = plan.withLock { plan in
            defer { plan.callsMade += 1 }
            guard let fault = plan.fault else { return (false, false) }
            let isFailing = plan.callsMade == fault.call && fault.kind == .after
            return (plan.callsMade > fault.call || plan.callsMade == fault.call && fault.kind != .after, isFailing)
        }
        guard !isBroken else { throw StoreError(.unavailable) }
        let value = try await call()
        guard !isFailing else { throw StoreError(.unavailable) }
        return value
    }
}
