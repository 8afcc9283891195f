import NightlatchWire

/// The part of a PIN slot that a hardener adds to the wrapped vault key.
struct HardenedSlot: Codable, Hashable, Sendable {
    let key: HardenedEpoch
    /// The ``KnowledgeKey``, sealed under the PIN's key and never under the vault key.
    let knowledgeKey: SealedBytes
    /// The local tier, which opens the vault while the hardener is unreachable; nil unless the app allows one.
    var localTier: LocalTier?

    private enum CodingKeys: String, CodingKey {
        case key
        case knowledgeKey = "knowledge_key"
        case localTier = "local_tier"
    }
}
