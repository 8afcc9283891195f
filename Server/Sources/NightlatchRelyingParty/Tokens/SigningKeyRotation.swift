public import NightlatchWire

/// The reason why no new access token signing key was made. The current key continues to sign.
public enum SigningKeyRotationError: Error, Hashable, Sendable {
    /// The store failed; see the error's ``RelyingPartyStoreError/kind``.
    case store(RelyingPartyStoreError)
    /// The keys in the store were sealed under another master key.
    case masterKeyDoesNotFit
    /// There is no key yet: no relying party has started with this store.
    case noKey
    /// The cryptographic library could not make a key, which is a defect.
    case noSigningKey
}

/// A key that is published and does not yet sign.
public struct ComingSigningKey: Hashable, Sendable {
    public let id: KeyID
    /// The time from which it signs.
    public let activeFrom: NumericDate
}

extension SigningKeyStore {
    /// All keys, after a correction of keys that were added while the clock was ahead.
    ///
    /// Such a key would begin to sign later than a key that is added now. Its start is changed to that of a key that is
    /// added now.
    package func signingKeysStartingInTime(now: NumericDate) async throws(RelyingPartyStoreError) -> [SealedSigningKey]
    {
        let keys = try await signingKeys()
        let start = now + SigningKeySchedule.publicationLead
        // Allows for differing clocks of processes.
        guard let newest = keys.last, newest.activeFrom > start + MessageLife.clockTolerance else { return keys }
        try await limitSigningKeys(startBy: start)
        return try await signingKeys()
    }

    /// Adds an access token signing key that begins to sign in seven minutes, when every verifier has had time to fetch
    /// it.
    ///
    /// No valid token is refused because of the rotation. Relying parties that already use the store find the key by
    /// themselves.
    ///
    /// If there is a key that does not yet sign, that key is returned, and nothing changes.
    ///
    /// - Parameters:
    ///   - masterKey: The key under which the other keys are sealed.
    ///   - now: The current time.
    ///   - actor: The party that asks for it, for the audit log.
    /// - Throws: ``SigningKeyRotationError``; after `store` the key may have been added, and calling again returns it.
    public func rotateSigningKey(
        under masterKey: MasterKey,
        now: NumericDate,
        by actor: ActingParty
    ) async throws(SigningKeyRotationError) -> ComingSigningKey {
        try await rotateSigningKey(sealingBy: MasterKeyring(masterKey), now: now, by: actor)
    }

    /// Like ``rotateSigningKey(under:now:by:)``, also during a rotation of the master key.
    package func rotateSigningKey(
        sealingBy keyring: MasterKeyring,
        now: NumericDate,
        by actor: ActingParty
    ) async throws(SigningKeyRotationError) -> ComingSigningKey {
        // Ends: in the second round at the latest. A key that another process added does not yet sign, and is returned.
        while true {
            let newest: SealedSigningKey?
            do {
                newest = try await signingKeysStartingInTime(now: now).last
            } catch {
                throw .store(error)
            }
            guard let newest else { throw .noKey }
            guard newest.activeFrom <= now else { return ComingSigningKey(newest) }
            do {
                _ = try TokenSigningKey(newest, underKeyOf: keyring)
            } catch {
                throw .masterKeyDoesNotFit
            }
            let key: SealedSigningKey
            do {
                key = try TokenSigningKey.random().sealed(
                    under: keyring.sealing, createdAt: now, activeFrom: now + SigningKeySchedule.publicationLead)
            } catch {
                throw .noSigningKey
            }
            do {
                // If several processes rotate at once, one adds its key and the others find it.
                if try await addSigningKey(key, after: newest.id, by: actor).last == key {
                    return ComingSigningKey(key)
                }
            } catch {
                throw .store(error)
            }
        }
    }
}

extension ComingSigningKey {
    fileprivate init(_ key: SealedSigningKey) {
        self.init(id: key.id, activeFrom: key.activeFrom)
    }
}
