import NightlatchWire

/// What a vault key vouches for: the secrets, each sealed, and for whom the vault key is wrapped. It changes only while the
/// vault is open; ``VaultKey/vouch(for:recipients:epoch:generation:)`` alone makes values of this type that hold.
struct VaultContent: Codable, Hashable, Sendable {
    /// A change of PIN holds the content twice, with slots and a charged attempt beside it. Content within this limit leaves
    /// room for all of them, so no vault can grow until its PIN can no longer be tried or changed.
    static let byteCountLimit = VaultRecord.byteCountLimit / 2 - 4608

    /// Counts the vault keys that this vault has had. Every PIN that is set makes a new one.
    let epoch: UInt64
    /// Moves with every change of the content.
    let generation: UInt64
    let recipients: VaultRecipients
    /// True while somebody may still have the vault key who is not to have it any more: whoever had a phrase that was replaced
    /// or removed. The next PIN that opens the vault has it sealed anew. Otherwise nil.
    let isRekeyDue: Bool?
    /// The box of each secret by its name.
    let items: [String: SealedBytes]
    /// HMAC-SHA256 under a key from the vault key, checked after every opening and before anything is changed: no box can be
    /// exchanged for an older one, none added and none left out, and no recipient planted.
    let mac: VaultMAC

    private enum CodingKeys: String, CodingKey {
        case epoch, generation, recipients, items, mac
        case isRekeyDue = "rekey_due"
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
