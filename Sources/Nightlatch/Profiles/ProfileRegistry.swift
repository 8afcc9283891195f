typealias ProfileRegistry = Registry<ProfileRegistryRecord>

extension ProfileRegistry {
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
