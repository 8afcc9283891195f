public import Nightlatch

/// The promises of every `SecureStore`. Run them on every adapter:
///
/// ```swift
/// @Test(arguments: SecureStoreConformance.allCases)
/// func keychainStore(_ promise: SecureStoreConformance) async throws {
///     try await promise.check { KeychainStore(service: UUID().uuidString) }
/// }
/// ```
public enum SecureStoreConformance: String, CaseIterable, Sendable {
    case anEmptyStoreHasNoRecord
    case whatWasWrittenIsRead
    case aSecondOwnerOfThePlaceReadsTheSame
    case aWriteThatExpectsAnotherRevisionIsRefusedAndChangesNothing
    case aWriteThatExpectsNothingIsRefusedWhereThereIsARecord
    case ofManyWritersAtOnceExactlyOneWins
    case aRemovedRecordIsGone
    case aRemovalThatExpectsAnotherRevisionIsRefused
    case erasingAnEmptyStoreIsNoError
    case aRecordOfHalfAMebibyteIsKept
    case aRecordThatIsTooLargeIsRefusedOrKeptWhole

    /// Checks this promise.
    ///
    /// - Parameter makeStore: Returns a store for the same place at each call. The place must be empty at first.
    /// - Throws: ``ConformanceFailure``, or the store's error.
    public func check(_ makeStore: () -> any SecureStore) async throws {
        let store = makeStore()
        let first = StoredRecord(revision: 1, bytes: [1, 2, 3])
        let second = StoredRecord(revision: 2, bytes: [4, 5])
        func require(_ condition: Bool) throws { try ConformanceFailure.require(condition, rawValue) }
        func requireConflict(_ call: () async throws(StoreError) -> Void) async throws {
            do throws(StoreError) {
                try await call()
            } catch {
                return try require(error.code == .conflict)
            }
            try require(false)
        }

        switch self {
        case .anEmptyStoreHasNoRecord:
            try require(try await store.read() == nil)
        case .whatWasWrittenIsRead:
            try await store.replace(first, expecting: nil)
            try require(try await store.read() == first)
            try await store.replace(second, expecting: 1)
            try require(try await store.read() == second)
        case .aSecondOwnerOfThePlaceReadsTheSame:
            try await store.replace(first, expecting: nil)
            try require(try await makeStore().read() == first)
        case .aWriteThatExpectsAnotherRevisionIsRefusedAndChangesNothing:
            try await requireConflict { () throws(StoreError) in try await store.replace(second, expecting: 1) }
            try await store.replace(first, expecting: nil)
            try await requireConflict { () throws(StoreError) in try await store.replace(second, expecting: 7) }
            try require(try await store.read() == first)
        case .aWriteThatExpectsNothingIsRefusedWhereThereIsARecord:
            try await store.replace(first, expecting: nil)
            try await requireConflict { () throws(StoreError) in try await store.replace(second, expecting: nil) }
            try require(try await store.read() == first)
        case .ofManyWritersAtOnceExactlyOneWins:
            try await store.replace(first, expecting: nil)
            let stores = (0..<50).map { _ in makeStore() }
            let winners = await withTaskGroup(of: Bool.self) { group in
                for (index, store) in stores.enumerated() {
                    group.addTask {
                        do throws(StoreError) {
                            try await store.replace(
                                StoredRecord(revision: 2, bytes: [UInt8(index)]), expecting: 1)
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            try require(winners == 1)
        case .aRemovedRecordIsGone:
            try await store.replace(first, expecting: nil)
            try await store.remove(expecting: 1)
            try require(try await store.read() == nil)
        case .aRemovalThatExpectsAnotherRevisionIsRefused:
            try await store.replace(first, expecting: nil)
            try await requireConflict { () throws(StoreError) in try await store.remove(expecting: 2) }
            try require(try await store.read() == first)
        case .erasingAnEmptyStoreIsNoError:
            try await store.erase()
            try await store.replace(first, expecting: nil)
            try await store.erase()
            try require(try await store.read() == nil)
        case .aRecordOfHalfAMebibyteIsKept:
            let large = StoredRecord(revision: 1, bytes: Array(repeating: 7, count: 512 * 1024))
            try await store.replace(large, expecting: nil)
            try require(try await store.read() == large)
        case .aRecordThatIsTooLargeIsRefusedOrKeptWhole:
            var kept = first
            try await store.replace(kept, expecting: nil)
            for byteCount in [1024 * 1024 - 16, 1024 * 1024, 4 * 1024 * 1024] {
                let large = StoredRecord(
                    revision: kept.revision + 1, bytes: Array(repeating: 7, count: byteCount))
                do throws(StoreError) {
                    try await store.replace(large, expecting: kept.revision)
                    kept = large
                } catch {
                    try require(error.code == .full)
                }
                try require(try await store.read() == kept)
            }
        }
    }
}
