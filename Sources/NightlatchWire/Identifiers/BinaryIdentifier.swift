/// An identifier that is a fixed number of random or hashed bytes in ``Base64URL``.
public protocol BinaryIdentifierRule: IdentifierRule {
    static var byteCount: Int { get }
}

extension BinaryIdentifierRule {
    public static var requirement: String { "\(byteCount) bytes in base64url without padding" }

    public static func accepts(_ text: String) -> Bool {
        // Check the length first. It bounds the work on untrusted text.
        text.utf8.count == (byteCount * 4 + 2) / 3 && Base64URL.isEncoding(text)
    }
}

extension Identifier where Rule: BinaryIdentifierRule {
    /// A new identifier from the system's cryptographically secure generator.
    public static func random() -> Self {
        Self(unchecked: Base64URL.encode(randomBytes(count: Rule.byteCount)))
    }

    /// Creates an identifier from `bytes`. Returns nil unless there are exactly ``BinaryIdentifierRule/byteCount`` of
    /// them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Rule.byteCount else { return nil }
        self.init(unchecked: Base64URL.encode(bytes))
    }

    /// The bytes that the text encodes.
    public var bytes: [UInt8] {
        // The text is valid base64url, so decoding does not fail.
        Base64URL.decode(rawValue) ?? []
    }
}
