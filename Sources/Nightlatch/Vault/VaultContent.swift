import NightlatchWire

/// The secrets of a vault, each sealed. They change only while the vault is open; ``VaultKey/vouch(for:generation:)`` alone
/// makes values of this type that hold.
struct VaultContent: Codable, Hashable, Sendable {
    /// A change of PIN holds the content twice, and a charged attempt makes the record a little longer. Content within this
    /// limit leaves room for both, so no vault can grow until its PIN can no longer be tried or changed.
    static let byteCountLimit = VaultRecord.byteCountLimit / 2 - 1024

    /// Moves with every change of the content.
    let generation: UInt64
    /// The box of each secret by its name.
    let items: [String: SealedBytes]
    /// HMAC-SHA256 under a key from the vault key, checked after every opening and before anything is changed: no box can be
    /// exchanged for an older one, none added and none left out.
    let mac: VaultMAC

    /// How much of a record it takes.
    var byteCount: Int { StrictJSON.encode(self).count }
}

/// The MAC over a vault's content.
typealias VaultMAC = Identifier<VaultMACRule>

enum VaultMACRule: BinaryIdentifierRule {
    static let name = "MAC"
    static let byteCount = 32
}
