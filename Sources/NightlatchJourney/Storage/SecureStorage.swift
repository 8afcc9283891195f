internal import Foundation
public import Nightlatch

/// Stores a value as JSON in a `SecureStore`: an item of the Keychain on Apple systems, a file elsewhere.
///
/// ```swift
/// oidc.storage = SecureStorage(KeychainStore(service: "com.example.app", account: "tokens"))
/// ```
///
/// A record that cannot be decoded is an error, and stays until it is deleted or replaced.
public struct SecureStorage<Value: Codable & Sendable>: Storage {
    /// The number of other writers after which a write is given up.
    private static var conflictLimit: Int { 16 }

    private let store: any SecureStore

    /// Creates a storage. No other code may use `store`.
    public init(_ store: any SecureStore) {
        self.store = store
    }

    public func save(item: Value) async throws {
        let bytes = [UInt8](try JSONEncoder().encode(item))
        for _ in 0..<Self.conflictLimit {
            let current = try await revision()
            do {
                try await store.replace(
                    StoredRecord(revision: (current ?? 0) + 1, bytes: bytes), expecting: current)
                return
            } catch {
                guard error.code == .conflict else { throw error }
            }
        }
        throw StoreError(.unavailable, reason: .overtaken(times: Self.conflictLimit))
    }

    /// The revision of the record to replace. A damaged record is removed: no read can return it any more, and without
    /// this no new value could ever be stored.
    private func revision() async throws(StoreError) -> UInt64? {
        do {
            return try await store.read()?.revision
        } catch {
            guard error.code == .corrupt else { throw error }
            try await store.erase()
            return nil
        }
    }

    public func get() async throws -> Value? {
        guard let record = try await store.read() else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(record.bytes))
        } catch {
            // The decoder's own error may quote the value.
            throw StoreError(.corrupt)
        }
    }

    public func delete() async throws {
        try await store.erase()
    }
}
