import NightlatchWire

/// What a vault key vouches for: the secrets, each sealed, and for whom the vault key is wrapped. It changes only while the
/// vault is open; ``VaultKey/vouch(for:recipients:epoch:generation:isPinHardened:isRekeyDue:)`` alone makes values of this type that hold.
struct VaultContent: Codable, Hashable, Sendable {
    /// A change of PIN holds the content twice, with slots and a charged attempt beside it. Content within this limit leaves
    /// room for all of them, so no vault can grow until its PIN can no longer be tried or changed.
    static let byteCountLimit = VaultRecord.byteCountLimit / 2 - 4608

    /// Counts the vault keys that this vault has had. Every PIN that is set makes a new one.
    let epoch: UInt64
    /// Moves with every change of the content.
    let generation: UInt64
    /// Nil for ``SealedFormat/first``.
    let format: SealedFormat?
    /// The recipients of a content of ``SealedFormat/first``, which anybody who has the record can read. Otherwise nil.
    let readableRecipients: VaultRecipients?
    /// The ``VaultRecipients`` sealed under the vault key; nil in ``SealedFormat/first``.
    let sealedRecipients: SealedBytes?
    /// True if a hardener has a part in the PIN: then no slot that the PIN alone opens is this vault's. Otherwise nil. A content of
    /// ``SealedFormat/first`` does not say.
    let isPinHardened: Bool?
    /// True while somebody may still have the vault key who is not to have it any more: whoever had a phrase that was replaced
    /// or removed. The next PIN that opens the vault has it sealed anew. Otherwise nil.
    let isRekeyDue: Bool?
    /// The box of each secret by its name.
    let items: [String: SealedBytes]
    /// HMAC-SHA256 under a key from the vault key, checked after every opening and before anything is changed: no box can be
    /// exchanged for an older one, none added and none left out, and no recipient planted.
    let mac: VaultMAC

    private enum CodingKeys: String, CodingKey {
        case epoch, format, generation, items, mac
        case readableRecipients = "recipients"
        case sealedRecipients = "sealed_recipients"
        case isPinHardened = "pin_hardened"
        case isRekeyDue = "rekey_due"
    }

    /// How it is made, and the slots beside it.
    var sealedFormat: SealedFormat { format ?? .first }

    /// Whether it has the members of its format, and no others.
    var hasShapeOfItsFormat: Bool {
        switch format {
        case nil: readableRecipients?.isUnmarked == true && sealedRecipients == nil && isPinHardened == nil
        case .first?: false
        case .second?: readableRecipients == nil && sealedRecipients != nil
        }
    }

    /// Whether `slot` is one of this vault's: a slot that the PIN alone opens is none of a vault whose PIN a hardener has a part in.
    func takes(_ slot: PinSlot) -> Bool {
        sealedFormat == .first || (isPinHardened ?? false) == (slot.hardened != nil)
    }

    /// How much of a record it takes.
    var byteCount: Int { StrictJSON.encode(self).count }
}

/// The MAC over a vault's content, or over its ledger.
typealias VaultMAC = Identifier<VaultMACRule>

enum VaultMACRule: BinaryIdentifierRule {
    static let name = "MAC"
    static let byteCount = 32
}
