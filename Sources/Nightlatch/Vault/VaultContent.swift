import NightlatchWire

/// The data that a vault key vouches for: the sealed secrets, and the recipients that the vault key is wrapped for.
///
/// It changes only while the vault is open. Only
/// ``VaultKey/vouch(for:recipients:epoch:generation:isPinHardened:isRekeyDue:)`` makes values of this type that verify.
struct VaultContent: Codable, Hashable, Sendable {
    /// The largest size of the content, in bytes.
    ///
    /// During a change of PIN, the record holds the content twice, with slots and a charged attempt. Content within
    /// this limit leaves room for all of them. So a vault never grows so large that its PIN cannot be tried or changed.
    static let byteCountLimit = VaultRecord.byteCountLimit / 2 - 4608

    /// The number of vault keys that this vault has had. Every new PIN makes a new one.
    let epoch: UInt64
    /// Increases with every change of the content.
    let generation: UInt64
    /// Nil for ``SealedFormat/first``.
    let format: SealedFormat?
    /// The recipients in content of ``SealedFormat/first``, which any reader of the record can read. Otherwise nil.
    let readableRecipients: VaultRecipients?
    /// The ``VaultRecipients`` sealed under the vault key; nil in ``SealedFormat/first``.
    let sealedRecipients: SealedBytes?
    /// True if the PIN is hardened: then the vault has no slot that the PIN alone opens. Otherwise nil. Content of
    /// ``SealedFormat/first`` does not record it.
    let isPinHardened: Bool?
    /// True while a party that must not have the vault key may still have it: a holder of a phrase that was replaced or
    /// removed. Otherwise nil.
    ///
    /// The next unlock by PIN seals the vault again.
    let isRekeyDue: Bool?
    /// The sealed box of each secret, by name.
    let items: [String: SealedBytes]
    /// HMAC-SHA256 under a key derived from the vault key, checked after every opening and before every change.
    ///
    /// So an attacker can neither add, remove or replace a box, nor add a recipient.
    let mac: VaultMAC

    private enum CodingKeys: String, CodingKey {
        case epoch, format, generation, items, mac
        case readableRecipients = "recipients"
        case sealedRecipients = "sealed_recipients"
        case isPinHardened = "pin_hardened"
        case isRekeyDue = "rekey_due"
    }

    /// The format of the content and of the slots beside it.
    var sealedFormat: SealedFormat { format ?? .first }

    /// Whether it has exactly the members of its format.
    var hasShapeOfItsFormat: Bool {
        switch format {
        case nil: readableRecipients?.isUnmarked == true && sealedRecipients == nil && isPinHardened == nil
        case .first?: false
        case .second?: readableRecipients == nil && sealedRecipients != nil
        }
    }

    /// Whether `slot` can be this vault's: a vault with a hardened PIN has no slot that the PIN alone opens.
    func takes(_ slot: PinSlot) -> Bool {
        sealedFormat == .first || (isPinHardened ?? false) == (slot.hardened != nil)
    }

    /// The size of the content in a record, in bytes.
    var byteCount: Int { StrictJSON.encode(self).count }
}

/// The MAC over a vault's content, record or tombstone.
typealias VaultMAC = Identifier<VaultMACRule>

enum VaultMACRule: BinaryIdentifierRule {
    static let name = "MAC"
    static let byteCount = 32
}
