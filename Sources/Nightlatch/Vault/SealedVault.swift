/// The slots and the content of a vault.
struct SealedVault: Codable, Hashable, Sendable {
    var slots: VaultSlots
    var content: VaultContent
    /// The previous vault key, sealed under this one; present in a change that a hardener must promote.
    ///
    /// After the promotion, only the new key can be reached. The previous key gives access to anything that was written
    /// under it in between, so that nothing is lost.
    var predecessor: SealedBytes?
    /// True in a change that recovery has made; otherwise nil. ``predecessor`` vouches for it.
    ///
    /// Such a change stays sealed for its own recipients, even if others are added under the previous key in between.
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
