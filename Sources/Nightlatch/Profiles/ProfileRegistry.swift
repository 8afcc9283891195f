/// Reads the registry and changes it by compare-and-swap, so that two processes lose none of their changes.
struct ProfileRegistry: Sendable {
    let store: any SecureStore

    func read() async throws(ProfileRegistryError) -> ProfileRegistryRecord {
        let stored: StoredRecord?
        do {
            stored = try await store.read()
        } catch {
            throw .store(error)
        }
        guard let stored else { return ProfileRegistryRecord() }
        return try ProfileRegistryRecord(stored)
    }

    /// Changes the registry as it stands. `change` runs again on a new reading if someone else has written; what changes nothing is
    /// not written.
    func update<Result>(
        _ change: (inout ProfileRegistryRecord) -> Result
    ) async throws(ProfileRegistryError) -> Result {
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

    /// Changes the entry of a profile, if there is one that is registered.
    ///
    /// - Returns: Whether there is.
    @discardableResult
    func updateRegistered(
        _ id: ProfileID,
        _ change: (inout ProfileEntry) -> Void
    ) async throws(ProfileRegistryError) -> Bool {
        try await update { record in
            guard var entry = record[id], entry.stage == .registered else { return false }
            change(&entry)
            record[id] = entry
            return true
        }
    }
}
