import Nightlatch

/// A write of a record that another writer may change at the same time.
enum CompareAndSwap {
    /// Performs the write. Returns false if it conflicts: another writer was first.
    static func succeeds(_ write: () async throws(StoreError) -> Void) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            try await write()
            return true
        } catch {
            guard error.code == .conflict else { throw error }
            return false
        }
    }
}
