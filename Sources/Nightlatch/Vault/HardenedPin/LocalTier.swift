import NightlatchWire

/// The vault key, wrapped under the key that the PIN alone gives: what a hardened slot has beside it where
/// ``OfflinePinPolicy/local`` holds. It is stretched as the slot is, with a salt of its own.
///
/// It is part of the slot, so whatever replaces or removes the slot does the same to it, in the same write.
struct LocalTier: Codable, Hashable, Sendable {
    let salt: PinSalt
    let box: SealedBytes
    /// Nil in ``SealedFormat/first``.
    let commitment: KeyCommitment?
}

extension PinSlot {
    /// The same hardened slot with `tier` beside it, or with none.
    func withLocalTier(_ tier: LocalTier?) -> PinSlot {
        guard let hardened else { return self }
        return PinSlot(
            salt: salt, parameters: parameters, box: box, commitment: commitment,
            hardened: HardenedSlot(key: hardened.key, knowledgeKey: hardened.knowledgeKey, localTier: tier))
    }
}
