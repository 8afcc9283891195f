/// The ways into a vault and what is in it.
struct SealedVault: Codable, Hashable, Sendable {
    var slots: VaultSlots
    var content: VaultContent
    /// In a change that a hardener has a part in: the vault key before this one, sealed under this one. From the moment of the
    /// promotion only this one can be reached, and what was written meanwhile under the one before must not be lost.
    var predecessor: SealedBytes?
    /// True in a change that recovery has made: it stays sealed for those that it was sealed for, whoever is written down meanwhile under the
    /// key before. Otherwise nil. ``predecessor`` vouches for it.
    var keepsRecipients: Bool?

    /// Whether it has the members of its format, and no others.
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
