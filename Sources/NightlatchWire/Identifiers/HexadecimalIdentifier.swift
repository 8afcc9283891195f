/// The grammar of identifiers of 16 random bytes: 32 lowercase hexadecimal digits.
///
/// People can read them aloud. They contain no hyphen, so no command line takes one for an option.
public protocol HexadecimalIdentifierRule: IdentifierRule {}

extension HexadecimalIdentifierRule {
    public static var requirement: String { "32 hexadecimal digits with small letters" }

    public static func accepts(_ text: String) -> Bool {
        text.utf8.count == 32 && text.hasOnly { $0.match("0"..."9") | $0.match("a"..."f") }
    }
}

extension Identifier where Rule: HexadecimalIdentifierRule {
    /// A new identifier from the system's cryptographically secure generator.
    public static func random() -> Self { Self(bytes: randomBytes(count: 16)) }

    /// The identifier of the first 16 bytes of `bytes`, for example of a hash.
    ///
    /// - Precondition: There are at least 16 bytes.
    public init(bytes: some Collection<UInt8>) {
        precondition(bytes.count >= 16)
        let digits = Array("0123456789abcdef")
        self.init(unchecked: String(bytes.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
    }
}
