public import NightlatchWire

/// Why no other key was made to sign access tokens. The one that is there signs on.
public enum SigningKeyRotationError: Error, Hashable, Sendable {
    /// The store did not answer; see its kind.
    case store(StoreError)
    /// The keys in the store were sealed under another master key.
    case masterKeyDoesNotFit
    /// There is no key yet: a relying party has not started over this store.
    case noKey
    /// The cryptographic library made no key: a defect.
    case noSigningKey
}

/// A key that is published and does not sign yet.
public struct ComingSigningKey: Hashable, Sendable {
    public let id: KeyID
    /// From when on it signs.
    public let activeFrom: NumericDate
}

extension SigningKeyStore {
    /// All keys. Those that would begin to sign later than a key that is added now, because they were added while the clock was ahead, are made
    /// to begin as such a key does.
    package func signingKeysStartingInTime(now: NumericDate) async throws(StoreError) -> [SealedSigningKey] {
        let keys = try await signingKeys()
        let start = now + SigningKeySchedule.publicationLead
        // Clocks of processes differ.
        guard let newest = keys.last, newest.activeFrom > start + MessageLife.clockTolerance else { return keys }
        try await limitSigningKeys(startBy: start)
        return try await signingKeys()
    }

    /// Adds a key that signs access tokens from seven minutes on, when everybody who verifies them has had time to read it. No token
    /// that lives is refused because of it. Running relying parties over the store take the key up by themselves.
    ///
    /// If there is such a key already, that one is returned, and nothing changes.
    ///
    /// - Parameters:
    ///   - masterKey: The key that the others are sealed under.
    ///   - now: The time.
    /// - Throws: ``SigningKeyRotationError``; with `store` the key may be there, and asking again returns it.
    public func rotateSigningKey(
        under masterKey: MasterKey,
        now: NumericDate
    ) async throws(SigningKeyRotationError) -> ComingSigningKey {
        // Ends: in the second round: a key that another process has added is not active yet.
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
                _ = try TokenSigningKey(newest, under: masterKey)
            } catch {
                throw .masterKeyDoesNotFit
            }
            let key: SealedSigningKey
            do {
                key = try TokenSigningKey.random().sealed(
                    under: masterKey, createdAt: now, activeFrom: now + SigningKeySchedule.publicationLead)
            } catch {
                throw .noSigningKey
            }
            do {
                // Of several that ask at once, one adds its key and the others find it.
                if try await addSigningKey(key, after: newest.id).last == key { return ComingSigningKey(key) }
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
