public import NightlatchWire

/// Four bytes that show which master key a value is sealed under. They reveal nothing about the key.
///
/// They are no evidence that a key is the right one: only an opened box is.
public typealias MasterKeyID = Identifier<MasterKeyIDRule>

public enum MasterKeyIDRule: BinaryIdentifierRule {
    public static let name = "master key id"
    public static let byteCount = 4
}

extension Identifier where Rule == MasterKeyIDRule {
    /// The id in the first bytes of an authentication code, which has more bytes than an id.
    init(prefixOf code: some Sequence<UInt8>) {
        guard let id = Self(bytes: Array(code.prefix(MasterKeyIDRule.byteCount))) else {
            preconditionFailure("an authentication code is longer than an id")
        }
        self = id
    }
}
