import NightlatchWire

/// What a PIN slot has beside the wrapped vault key if a hardener has a part in it.
struct HardenedSlot: Codable, Hashable, Sendable {
    let key: HardenedEpoch
    /// The ``KnowledgeKey``, sealed under the PIN's key and never under the vault key.
    let knowledgeKey: SealedBytes
    /// What opens the vault while the hardener is out of reach, if the app allows that; nil if nothing does.
    var localTier: LocalTier?

    private enum CodingKeys: String, CodingKey {
        case key
        case knowledgeKey = "knowledge_key"
        case localTier = "local_tier"
    }
}
