public import NightlatchWire

/// Stores the keys that sign access tokens. Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol SigningKeyStore: Sendable {
    /// All current and former access token signing keys, in the order in which they begin to sign. Writes nothing.
    func signingKeys() async throws(RelyingPartyStoreError) -> [SealedSigningKey]

    /// Adds `key` if the newest stored key is `newest`, or if `newest` is nil and no key is stored.
    ///
    /// If several processes call it at once, one adds its key, and all get the same result.
    ///
    /// - Parameters:
    ///   - key: A key that begins to sign after all others.
    ///   - newest: The stored key that begins to sign last; nil if no key is stored.
    ///   - actor: The party that adds it, for the audit log.
    /// - Returns: All keys after the call, in the order in which they begin to sign.
    /// - Throws: ``RelyingPartyStoreError`` `unavailable` if the box is under a master key that was replaced.
    func addSigningKey(
        _ key: SealedSigningKey, after newest: KeyID?, by actor: ActingParty
    ) async throws(RelyingPartyStoreError) -> [SealedSigningKey]

    /// Deletes each key that is older than the newest key that began to sign at `time` or earlier.
    ///
    /// At least one key always remains.
    func removeSigningKeys(supersededBefore time: NumericDate) async throws(RelyingPartyStoreError)

    /// Makes keys that would begin to sign after `time` begin at `time`, in their current order and one second apart.
    ///
    /// This corrects keys that were added while the clock was ahead.
    func limitSigningKeys(startBy time: NumericDate) async throws(RelyingPartyStoreError)

    /// Deletes all signing keys, so that the next start makes a new one. For an operator who lost the master key.
    ///
    /// The ``MasterKeyState`` stays. If the next process to start does not have its key, it replaces the state.
    ///
    /// - Returns: The number of keys deleted.
    func forgetSigningKeys() async throws(RelyingPartyStoreError) -> Int
}
