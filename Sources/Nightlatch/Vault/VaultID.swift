import NightlatchWire

/// One vault, so that no part of a record can be moved into another's.
typealias VaultID = Identifier<VaultIDRule>

enum VaultIDRule: BinaryIdentifierRule {
    static let name = "vault id"
    static let byteCount = 16
}
