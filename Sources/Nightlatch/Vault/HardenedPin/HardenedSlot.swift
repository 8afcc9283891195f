import NightlatchWire

/// The part of a PIN slot that a hardener adds to the wrapped vault key.
struct HardenedSlot: Codable, Hashable, Sendable {
    let key: HardenedEpoch
    /// The ``KnowledgeKey``, sealed under the PIN's key and never under the vault key.
    let knowledgeKey: SealedBytes
    /// Opens the vault while the hardener is unreachable, if the app allows that; nil if nothing does.
    var localTier: LocalTier?

    private enum CodingKeys: String, CodingKey {
        case key
        case knowledgeKey = "knowledge_key"
        case localTier = "local_tier"
    }
}
