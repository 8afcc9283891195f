public import Nightlatch

/// A store that fails at one chosen call, as a crash or a broken disk would, and at every call after that until it is repaired.
public struct FaultyStore: SecureStore {
    /// What happens at the chosen call.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// The call does nothing.
        case before
        /// The call does its work, but its caller never learns of it.
        case after
        /// The call dies in the middle of its write, if it is one. What that leaves is up to the place, see
        /// ``FaultyStore/init(_:tearing:)``; reads do nothing.
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

    /// - Parameters:
    ///   - base: The store that does the work.
    ///   - tear: Leaves in the store's place what a write of this record leaves there when it ends in the middle.
    public init(_ base: any SecureStore, tearing tear: @escaping @Sendable (StoredRecord) -> Void = { _ in }) {
        self.base = base
        self.tear = tear
        plan = Shared(Plan())
    }

    /// A store that counts its calls together with `other`, and fails and is repaired with it, as all stores of one device do
    /// when that dies.
    ///
    /// - Parameters:
    ///   - base: The store that does the work.
    ///   - other: The store that this one fails with.
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

    /// How many calls were made since the store was made or repaired.
    public var callCount: Int { plan.withLock { $0.callsMade } }

    /// Fails at the `call`-th call from now, counted from zero, and from then on.
    public func fail(at call: Int, _ kind: Fault) {
        plan.withLock { $0 = Plan(fault: (call, kind)) }
    }

    /// Does not find the record at the `call`-th call from now, counted from zero, and only then: a read says that there is none, and a
    /// write that another is there. A call that erases is answered truthfully.
    public func missRecord(at call: Int) {
        plan.withLock { $0 = Plan(missingCall: call) }
    }

    /// Works again, and counts calls from zero.
    public func repair() {
        plan.withLock { $0 = Plan() }
    }

    public func read() async throws(StoreError) -> StoredRecord? {
        // It belongs to no operation, and can come at any time.
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
