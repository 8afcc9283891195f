import NightlatchWire

/// The id of one vault. It prevents moving a part of one record into another vault's record.
typealias VaultID = Identifier<VaultIDRule>

enum VaultIDRule: BinaryIdentifierRule {
    static let name = "vault id"
    static let byteCount = 16
}
