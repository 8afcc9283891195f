import NightlatchWire

/// The keys that serve users of servers which speak of users by name: several users on a device, for each at most one key that signs,
/// and while a new one takes its place, the one before.
///
/// One value, and its copies, serve one registry in a process: what another has made and not sent yet is taken for what a crash has left, and goes
/// with the next binding.
///
/// A binding has two phases, because the server's yes is not in the answer to it: `bind` makes a key and offers it, and the ceremony's end
/// says what became of it (``UserKeys/settle(_:hasSucceeded:)``). Until the new key has proved itself the old one stays.
package struct UserKeys: Sendable {
    let registry: UserKeyRegistry
    let deviceKeys: any DeviceKeys
    let vault: @Sendable (KeyTag) -> Vault
    let keyring: @Sendable (KeyTag, UserKeyProtection) -> (any BiometricKeyring)?
    /// The keys that are made here and not sent yet.
    let unsent = UnsentUserKeys()

    /// - Parameters:
    ///   - store: Where the registry of keys lies; it is this type's alone.
    ///   - deviceKeys: The device's keys.
    ///   - vault: The vault for the PIN of the key under a tag, the same for the same tag. It is the key's alone.
    ///   - keyring: The keyring for the key under a tag, the same for the same tag; nil if the device cannot protect a key so.
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

    /// The key that signs for each user at `server`. An error is never an empty list.
    package func keys(at server: String) async throws(UserKeyError) -> [UserKeyEntry] {
        try await read().preferredKeys(at: server)
    }

    /// Calls a key otherwise.
    ///
    /// - Throws: ``UserKeyError/noKey`` if there is none of that name on the wire.
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

    /// Removes the keys for which `isUnwanted` holds, with all that protects them. Can be repeated after a failure.
    package func remove(where isUnwanted: (UserKeyEntry) -> Bool) async throws(UserKeyError) {
        try await update { $0.leave(where: isUnwanted) }
        try await finishLeaving()
    }

    /// Removes all that is left of keys that are being removed. One that cannot be removed does not keep the others.
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
            // Without it the key that biometrics release stays where it is: so does the entry, which says that it is to go.
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
        case .record(let error): self = .vault(error)
        case .biometrics(let error): self = .biometrics(error)
        }
    }
}
