/// Limits of the JSON that a decoder reads. Each decoder has limits, so that no message can exhaust memory or the
/// stack.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum size in bytes.
    public let byteCount: Int
    /// The maximum nesting depth of arrays and objects.
    public let depth: Int

    /// The maximum of ``depth``, which fits a thread with a small stack.
    public static let greatestDepth = 64

    /// The maximum total size of a document's member names that are not ASCII, in bytes of UTF-8.
    ///
    /// Comparing such names normalises them. That costs up to the square of their length.
    public let normalizedNameByteCount: Int

    /// The maximum number of consecutive combining characters in a text. Nil means no limit.
    ///
    /// Comparing texts that are not ASCII normalises them, which sorts such a run in quadratic time.
    public let combiningRunLimit: Int?

    /// Creates limits. A depth above ``greatestDepth`` is reduced to it.
    ///
    /// - Parameters:
    ///   - byteCount: The maximum size in bytes.
    ///   - depth: The maximum nesting depth of arrays and objects.
    ///   - normalizedNameByteCount: The maximum total size of names that are not ASCII, in bytes. Raise it only for
    ///     documents of trusted authors.
    ///   - combiningRunLimit: The maximum number of consecutive combining characters. Nil means no limit.
    public init(byteCount: Int, depth: Int, normalizedNameByteCount: Int = 1024, combiningRunLimit: Int? = nil) {
        self.byteCount = byteCount
        self.depth = min(depth, Self.greatestDepth)
        self.normalizedNameByteCount = normalizedNameByteCount
        self.combiningRunLimit = combiningRunLimit
    }

    /// The limits of a message between client and server: 64 KiB, depth 8, 1 KiB of names that are not ASCII.
    public static let message = JSONLimits(byteCount: 64 * 1024, depth: 8)

    /// The limits of a message from an untrusted sender: those of ``message``, and the maximum number of consecutive
    /// combining characters of the Stream-Safe Text Format
    /// ([UAX #15](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format)).
    public static let request = JSONLimits(
        byteCount: message.byteCount, depth: message.depth, combiningRunLimit: StreamSafeText.longestRun)
}
