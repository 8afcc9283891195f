/// How much JSON is read before it is refused. Every decoder has such a bound, so that no message can exhaust memory
/// or the stack.
public struct JSONLimits: Sendable, Hashable {
    /// The greatest size in bytes.
    public let byteCount: Int
    /// How deep arrays and objects may be nested.
    public let depth: Int

    /// The depth that no limit exceeds: what a thread with a small stack can take.
    public static let greatestDepth = 64

    /// How many bytes of UTF-8 the member names of a document may have together that are not ASCII. To compare such names they are
    /// normalised, which costs up to the square of their length.
    public let normalizedNameByteCount: Int

    /// How many characters in a row may combine with the one before them in a text; nil for any number. To compare texts that are not ASCII
    /// they are normalised, which sorts such a row at the square of its length.
    public let combiningRunLimit: Int?

    /// Limits with these bounds; a depth beyond ``greatestDepth`` counts as that.
    ///
    /// - Parameters:
    ///   - byteCount: The greatest size in bytes.
    ///   - depth: How deep arrays and objects may be nested.
    ///   - normalizedNameByteCount: How many bytes the names may have that are not ASCII. More is for documents of trusted authors.
    ///   - combiningRunLimit: How many characters in a row may combine with the one before them; nil for any number.
    public init(byteCount: Int, depth: Int, normalizedNameByteCount: Int = 1024, combiningRunLimit: Int? = nil) {
        self.byteCount = byteCount
        self.depth = min(depth, Self.greatestDepth)
        self.normalizedNameByteCount = normalizedNameByteCount
        self.combiningRunLimit = combiningRunLimit
    }

    /// What one message between client and server may hold: 64 KiB, nested 8 deep, 1 KiB of names that are not ASCII.
    public static let message = JSONLimits(byteCount: 64 * 1024, depth: 8)

    /// As ``message``, for what anybody may send: of the characters in a row that combine there are as many as the Stream-Safe Text Format
    /// allows ([UAX #15](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)).
    public static let request = JSONLimits(
        byteCount: message.byteCount, depth: message.depth, combiningRunLimit: StreamSafeText.longestRun)
}
