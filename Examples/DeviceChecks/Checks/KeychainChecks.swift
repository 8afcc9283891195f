import Nightlatch

/// The checks of items in the Keychain, through `KeychainStore`.
struct KeychainChecks: Sendable {
    let system: DeviceSystem

    /// The revision is the item's generic attribute. Each write finds the item by it and changes it.
    func genericAttribute() async throws(StoreError) -> CheckOutcome {
        let item = CheckedItem(system)
        return try await item.check { () async throws(StoreError) in
            let store = item.store
            try await store.replace(record(1), expecting: nil)
            for revision in UInt64(1)...5 {
                let isWritten = try await CompareAndSwap.succeeds { () async throws(StoreError) in
                    try await store.replace(record(revision + 1), expecting: revision)
                }
                guard isWritten else { return .done(.didNotHold, ["conflict_at_write": String(revision + 1)]) }
            }
            guard try await store.read() == record(6) else { return .done(.didNotHold, ["read": "another record"]) }
            let old = try await CompareAndSwap.succeeds { () async throws(StoreError) in
                try await store.remove(expecting: 5)
            }
            let own = try await CompareAndSwap.succeeds { () async throws(StoreError) in
                try await store.remove(expecting: 6)
            }
            guard !old, own else {
                return .done(.didNotHold, ["removed_old_revision": String(old), "removed_own_revision": String(own)])
            }
            return .done(.held, ["writes": "6"])
        }
    }

    /// Items of growing sizes are written and read.
    func size() async throws(StoreError) -> CheckOutcome {
        let (needed, largest) = (512 * 1024, 1024 * 1024 - 12)
        var kept = 0
        for byteCount in [1024, 64 * 1024, 256 * 1024, needed, largest] {
            do throws(StoreError) {
                guard try await isKept(byteCount) else {
                    return .done(.didNotHold, ["largest_kept": String(kept), "damaged": String(byteCount)])
                }
                kept = byteCount
            } catch {
                // An error for a small item says nothing about sizes.
                guard kept > 0, error.code == .full || error.code == .refused else { throw error }
                return .done(
                    kept >= needed ? .held : .didNotHold,
                    ["largest_kept": String(kept), "refused": String(byteCount), "error": error.description])
            }
        }
        return .done(.held, ["largest_kept": String(kept)])
    }

    private func record(_ revision: UInt64) -> StoredRecord {
        StoredRecord(revision: revision, bytes: Array("revision \(revision)".utf8))
    }

    private func isKept(_ byteCount: Int) async throws(StoreError) -> Bool {
        let item = CheckedItem(system)
        let record = StoredRecord(revision: 1, bytes: (0..<byteCount).map { UInt8($0 % 251) })
        var found: StoredRecord?
        _ = try await item.check { () async throws(StoreError) in
            try await item.store.replace(record, expecting: nil)
            found = try await item.store.read()
            return .done(.held, [:])
        }
        return found == record
    }
}
