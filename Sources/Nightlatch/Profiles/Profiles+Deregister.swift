/// Why something of a profile is there still. The profile is not listed any more, and the next ``Profiles/resume()``, or the same
/// call, goes on; unless the registry could not be written: then the profile may be as it was.
public enum DeregistrationError: Error, Hashable, Sendable {
    /// The registry could not be read or written.
    case registry(ProfileRegistryError)
    /// The vault, or the keys that biometrics release for it, could not be erased.
    case vault(EraseVaultError)
    /// A device key could not be removed.
    case deviceKey(DeviceKeyError)
    /// The profile has device keys, and ``Profiles`` was made without `deviceKeys`. Pass them.
    case noDeviceKeys
}

extension Profiles {
    /// Deregisters a profile and removes all that belongs to it: vault, biometric keys, device keys, preference, length of the PIN, and
    /// its entry. On files an empty lock file stays, whose name tells the profile's random id. The vault need not be open, nor be there:
    /// this is the way to give up a profile whose vault is missing. A profile that is not there is no error.
    ///
    /// The intention is written first: from then on the profile is not listed, and if this fails or is cut off, ``resume()`` goes on.
    /// The relying party is not asked; revoke the device there before.
    public func deregister(_ id: ProfileID) async throws(DeregistrationError) {
        try await retire(id, known: nil)
    }

    /// Writes the intention to remove a profile, and removes it.
    ///
    /// - Parameter known: What to remove if the registry has no entry any more.
    func retire(_ id: ProfileID, known: ProfileEntry?) async throws(DeregistrationError) {
        let entry: ProfileEntry?
        do {
            entry = try await registry.update { record in
                guard var entry = record[id] ?? known else { return nil }
                entry.retire()
                record[id] = entry
                return entry
            }
        } catch {
            throw .registry(error)
        }
        if let entry { try await remove(entry) }
    }

    /// Removes what belongs to a profile that is being deregistered, and its entry last. Every step can be repeated.
    private func remove(_ entry: ProfileEntry) async throws(DeregistrationError) {
        do {
            try await vault(of: profile(entry)).erase()
        } catch {
            throw .vault(error)
        }
        try await removeKeys(entry.deviceKeys)
        do {
            try await registry.update { $0[entry.id] = nil }
        } catch {
            throw .registry(error)
        }
    }

    private func removeKeys(_ tags: [KeyTag]) async throws(DeregistrationError) {
        guard !tags.isEmpty else { return }
        guard let keys else { throw .noDeviceKeys }
        do {
            for tag in tags { try await keys.remove(tag) }
        } catch {
            throw .deviceKey(error)
        }
    }
}
