import NightlatchWire

/// The keys of users at servers that identify users by name.
///
/// A device can have several users. Each user has at most one key that signs. While a new key replaces it, the previous
/// one is kept too.
///
/// In one process, use only one value and its copies for a registry. A second value would treat the unsent keys of the
/// first as leftovers of a crash, and remove them with the next binding.
///
/// A binding has two phases, because the server decides about the new key only at the end of the ceremony. `bind`
/// creates the key to offer. After the ceremony, ``UserKeys/settle(_:hasSucceeded:)`` keeps or removes the key. The old
/// key stays until the new one has proved itself.
package struct UserKeys: Sendable {
    let registry: UserKeyRegistry
    let deviceKeys: any DeviceKeys
    let vault: @Sendable (KeyTag) -> Vault
    let keyring: @Sendable (KeyTag, UserKeyProtection) -> (any BiometricKeyring)?
    /// The keys that this value has created and not sent yet.
    let unsent = UnsentUserKeys()

    /// Creates the keys with a registry.
    ///
    /// - Parameters:
    ///   - store: The store of the key registry; only this type may use it.
    ///   - deviceKeys: The device's keys.
    ///   - vault: Returns the vault for the PIN of the key under a tag, always the same for a tag. Only that key may
    ///     use the vault.
    ///   - keyring: Returns the keyring for the key under a tag, always the same for a tag; nil if the device cannot
    ///     protect a key in this way.
    package init(
        store: any SecureStore,
        deviceKeys: any DeviceKeys,
        vault: @escaping @Sendable (KeyTag) -> Vault,
        keyring: @escaping @Sendable (KeyTag, UserKeyProtection) -> (any BiometricKeyring)?
    ) {
        registry = UserKeyRegistry(store: store)
        self.deviceKeys = deviceKeys
        self.vault = vault
        self.keyring = keyring
    }

    /// Returns the key that signs for each user at `server`. If the keys cannot be read, this throws and never returns
    /// an empty list.
    package func keys(at server: String) async throws(UserKeyError) -> [UserKeyEntry] {
        try await read().preferredKeys(at: server)
    }

    /// Returns the key that signs for each user at each server. Throws like ``keys(at:)``.
    package func keys() async throws(UserKeyError) -> [UserKeyEntry] {
        let record = try await read()
        var servers: [String] = []
        for key in record.keys where !servers.contains(key.owner.server) { servers.append(key.owner.server) }
        return servers.flatMap(record.preferredKeys)
    }

    /// Removes the key with this `keyID`, and all other keys of its user at its server. Can be repeated after an error.
    package func removeOwner(ofKeyNamed keyID: String) async throws(UserKeyError) {
        let owner = try await read().keys.first { $0.keyID == keyID }?.owner
        guard let owner else { return try await finishLeaving() }
        try await remove { $0.owner == owner }
    }

    /// Renames a key.
    ///
    /// - Throws: ``UserKeyError/noKey`` if this device has no key with this `keyID` for `server`.
    package func rename(_ keyID: String, at server: String, to name: String) async throws(UserKeyError) {
        guard name.utf8.count <= UserKeyEntry.textByteCountLimit else { throw .textTooLong }
        let isRenamed = try await update { record in
            guard
                let key = record.keys.first(where: {
                    $0.keyID == keyID && $0.owner.server == server && $0.stage != .leaving
                })
            else { return false }
            record[key.tag]?.name = name
            return true
        }
        guard isRenamed else { throw .noKey }
    }

    /// Removes the keys for which `isUnwanted` returns true, with everything that protects them. Can be repeated after
    /// an error.
    package func remove(where isUnwanted: (UserKeyEntry) -> Bool) async throws(UserKeyError) {
        try await update { $0.leave(where: isUnwanted) }
        try await finishLeaving()
    }

    /// Finishes the removal of all keys that are being removed. A key that cannot be removed does not stop the others.
    func finishLeaving() async throws(UserKeyError) {
        var failure: UserKeyError?
        for key in try await read().keys where key.stage == .leaving {
            do {
                try await finishLeaving(key)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    func finishLeaving(_ key: UserKeyEntry) async throws(UserKeyError) {
        do {
            try await deviceKeys.remove(key.tag)
        } catch {
            throw .key(error)
        }
        switch key.protection {
        case .none: break
        case .pin:
            do {
                try await vault(key.tag).erase()
            } catch {
                throw UserKeyError(error)
            }
        case .biometrics, .biometricsOrPasscode:
            // Without the keyring, the keyring's key cannot be removed from the device. So the entry stays, and shows
            // that this key must still be removed.
            guard let keyring = keyring(key.tag, key.protection) else { throw .unsupported }
            do {
                try await keyring.remove(.first)
            } catch {
                throw .biometrics(error)
            }
        }
        try await update { $0[key.tag] = nil }
    }

    func read() async throws(UserKeyError) -> UserKeyRegistryRecord {
        do {
            return try await registry.read()
        } catch {
            throw .registry(error)
        }
    }

    func update<Result>(_ change: (inout UserKeyRegistryRecord) -> Result) async throws(UserKeyError) -> Result {
        do {
            return try await registry.update(change)
        } catch {
            throw .registry(error)
        }
    }
}

extension UserKeyError {
    init(_ error: EraseVaultError) {
        switch error {
        case .vault(let error): self = .vault(error)
        case .biometrics(let error): self = .biometrics(error)
        }
    }
}
