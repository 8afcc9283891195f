public import NightlatchWire

/// The part of a ``RelyingPartyStore`` that holds the keys which sign access tokens. Each verb is one transaction.
public protocol SigningKeyStore: Sendable {
    /// All keys that sign access tokens or did so, in the order in which they begin to. Writes nothing.
    func signingKeys() async throws(StoreError) -> [SealedSigningKey]

    /// Adds `key` if the newest is `newest`, or if `newest` is nil and there is none. Of several processes that do so at once, one
    /// adds and all get the same.
    ///
    /// - Parameters:
    ///   - key: A key that begins to sign after all others.
    ///   - newest: The key that begins to sign last of those that are there.
    /// - Returns: All keys as they stand now, in the order in which they begin to sign.
    func addSigningKey(_ key: SealedSigningKey, after newest: KeyID?) async throws(StoreError) -> [SealedSigningKey]

    /// Forgets each key that another has followed at `time` or before: that began to sign later, and not after `time`. So one is
    /// always left.
    func removeSigningKeys(supersededBefore time: NumericDate) async throws(StoreError)

    /// Has keys that would begin to sign after `time` begin at `time`, in the order that they have, each a second after the one before. For
    /// keys that were added while the clock was ahead.
    func limitSigningKeys(startBy time: NumericDate) async throws(StoreError)

    /// Forgets all signing keys, so that the next start makes a new one: for an operator whose master key is lost.
    ///
    /// - Returns: How many there were.
    func forgetSigningKeys() async throws(StoreError) -> Int
}
