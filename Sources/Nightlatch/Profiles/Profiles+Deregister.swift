/// An error that occurs while removing a profile.
///
/// The profile is no longer listed, and the next ``Profiles/resume()``, or the same call, continues. If the registry
/// could not be written, the profile may be unchanged.
public enum DeregistrationError: Error, Hashable, Sendable {
    /// The registry could not be read or written.
    case registry(RegistryError)
    /// The vault could not be erased.
    case vault(VaultError)
    /// The vault is erased, but a biometric key for it could not be removed. It opens nothing any more.
    case biometrics(BiometricError)
    /// A device key could not be removed. The code is `notProvided` if ``Profiles`` was created without `deviceKeys`
    /// and the profile has some: pass them.
    case deviceKey(DeviceKeyError)
}

extension Profiles {
    /// Deregisters a profile and removes everything that belongs to it: vault, biometric keys, device keys, preference,
    /// length of the PIN, and its entry.
    ///
    /// The vault may be locked or missing; use this also to give up a profile with a missing vault. If there is no such
    /// profile, this does nothing. With files, an empty lock file remains, and its name contains the profile's random
    /// id.
    ///
    /// The intention is written first. From then on the profile is not listed, and after an error or a crash
    /// ``resume()`` continues. No request is sent to the relying party: revoke the device there first.
    public func deregister(_ id: ProfileID) async throws(DeregistrationError) {
        try await retire(id, known: nil)
    }

    /// Stores the intention to remove a profile, and removes it.
    ///
    /// - Parameter known: The entry to use if the registry no longer contains the profile's entry.
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
            switch error {
            case .vault(let error): throw .vault(error)
            case .biometrics(let error): throw .biometrics(error)
            }
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
        guard let keys else { throw .deviceKey(DeviceKeyError(.notProvided)) }
        do {
            for tag in tags { try await keys.remove(tag) }
        } catch {
            throw .deviceKey(error)
        }
    }
}
