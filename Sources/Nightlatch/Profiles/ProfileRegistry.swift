typealias ProfileRegistry = Registry<ProfileRegistryRecord>

extension ProfileRegistry {
    /// Changes the entry of a profile, if that profile is registered.
    ///
    /// - Returns: Whether the profile is registered.
    @discardableResult
    func updateRegistered(
        _ id: ProfileID,
        _ change: (inout ProfileEntry) -> Void
    ) async throws(RegistryError) -> Bool {
        try await update { record in
            guard var entry = record[id], entry.stage == .registered else { return false }
            change(&entry)
            record[id] = entry
            return true
        }
    }
}
