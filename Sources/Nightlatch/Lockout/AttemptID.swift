import NightlatchWire

/// One attempt to use a PIN, so that its verdict is not taken for another's.
typealias AttemptID = Identifier<AttemptIDRule>

enum AttemptIDRule: BinaryIdentifierRule {
    static let name = "attempt id"
    static let byteCount = 16
}
