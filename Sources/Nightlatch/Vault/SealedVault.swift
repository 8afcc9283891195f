/// The ways into a vault and what is in it.
struct SealedVault: Codable, Hashable, Sendable {
    /// Nil once a lockout has ended the PIN.
    var pinSlot: PinSlot?
    var content: VaultContent

    private enum CodingKeys: String, CodingKey {
        case pinSlot = "pin_slot"
        case content
    }
}
