internal import Nightlatch

/// Stores a value in memory, as long as this object exists.
public final class MemoryStorage<Value: Codable & Sendable>: Storage {
    private let item = Locked<Value?>(nil)

    public init() {}

    public func save(item: Value) async throws { self.item.withLock { $0 = item } }

    public func get() async throws -> Value? { item.withLock { $0 } }

    public func delete() async throws { item.withLock { $0 = nil } }
}
