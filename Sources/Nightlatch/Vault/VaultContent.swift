import NightlatchWire

/// The secrets of a vault, each sealed. They change only while the vault is open; ``VaultKey/vouch(for:generation:)`` alone
/// makes values of this type that hold.
struct VaultContent: Codable, Hashable, Sendable {
    /// Moves with every change of the content.
    let generation: UInt64
    /// The box of each secret by its name.
    let items: [String: SealedBytes]
    /// HMAC-SHA256 under a key from the vault key, checked after every opening and before anything is changed: no box can be
    /// exchanged for an older one, none added and none left out.
    let mac: VaultMAC
}

/// The MAC over a vault's content.
typealias VaultMAC = Identifier<VaultMACRule>

enum VaultMACRule: BinaryIdentifierRule {
    static let name = "MAC"
    static let byteCount = 32
}
