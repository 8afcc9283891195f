import NightlatchWire

/// Why the registry of user keys could not be read or written. That is never "no keys". Nothing is known to be changed, unless the
/// store failed in the act; then the registry is as it was or as it should be, whole.
public enum UserKeyRegistryError: Error, Hashable, Sendable {
    /// ``StoreError/Code`` says whether to try again.
    case store(StoreError)
    /// It is damaged. Trying again does not help; the keys themselves are not touched by that.
    case corrupt
    /// A newer version of the app wrote it. Update the app; the registry is untouched.
    case newerFormat(found: Int, newestKnown: Int)
}

/// Reads the registry and changes it by compare-and-swap, so that two calls, in two processes too, lose none of their changes.
struct UserKeyRegistry: Sendable {
    let store: any SecureStore

    func read() async throws(UserKeyRegistryError) -> UserKeyRegistryRecord {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        guard let stored else { return UserKeyRegistryRecord() }
        return try UserKeyRegistryRecord(stored)
    }

    /// Changes the registry as it stands. `change` runs again on a new reading if someone else has written; what changes nothing is
    /// not written.
    func update<Result>(
        _ change: (inout UserKeyRegistryRecord) -> Result
    ) async throws(UserKeyRegistryError) -> Result {
        while true {
            let before = try await read()
            var record = before
            let result = change(&record)
            guard record != before else { return result }
            do {
                try await store.replace(record.stored(), expecting: before.revision == 0 ? nil : before.revision)
                return result
            } catch {
                guard error.code == .conflict else { throw .store(error) }
            }
        }
    }
}
