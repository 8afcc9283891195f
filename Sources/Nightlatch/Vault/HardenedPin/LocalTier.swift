import NightlatchWire

/// The vault key, wrapped under a key that the PIN alone gives.
///
/// A hardened slot has one if the app's policy is ``OfflinePinPolicy/local``. It uses the slot's key derivation
/// parameters and its own salt.
///
/// It is part of the slot, so a write that replaces or removes the slot does the same to the local tier.
struct LocalTier: Codable, Hashable, Sendable {
    let salt: PinSalt
    let box: SealedBytes
    /// Nil in ``SealedFormat/first``.
    let commitment: KeyCommitment?
}

extension PinSlot {
    /// Returns the same hardened slot with `tier`, or without a local tier if that is nil.
    func withLocalTier(_ tier: LocalTier?) -> PinSlot {
        guard let hardened else { return self }
        return PinSlot(
            salt: salt, parameters: parameters, box: box, commitment: commitment,
            hardened: HardenedSlot(key: hardened.key, knowledgeKey: hardened.knowledgeKey, localTier: tier))
    }
}
