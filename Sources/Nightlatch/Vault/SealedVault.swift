/// The slots and the content of a vault.
struct SealedVault: Codable, Hashable, Sendable {
    var slots: VaultSlots
    var content: VaultContent
    /// The previous vault key, sealed under the new one; present in a change that a hardener must promote.
    ///
    /// After the promotion, the PIN gives only the new key. The device still needs the previous key for data that was
    /// written under it between the change and the promotion.
    var predecessor: SealedBytes?
    /// True in a change that recovery has made; otherwise nil. The box in ``predecessor`` authenticates this value.
    ///
    /// Such a change keeps its own recipients, even if others are added under the previous key before the promotion.
    var keepsRecipients: Bool?

    /// Whether it has exactly the members of its format.
    var hasShapeOfItsFormat: Bool {
        let format = content.sealedFormat
        return content.hasShapeOfItsFormat && slots.pin?.hasShape(of: format) ?? true
            && (slots.biometricKey != nil) == (format != .first && slots.biometrics != nil)
    }

    private enum CodingKeys: String, CodingKey {
        case slots, content, predecessor
        case keepsRecipients = "keeps_recipients"
    }
}
