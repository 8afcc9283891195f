/// The ways into a vault and what is in it.
struct SealedVault: Codable, Hashable, Sendable {
    var slots: VaultSlots
    var content: VaultContent
}
