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

    /// Limits with these bounds; a depth beyond ``greatestDepth`` counts as that.
    ///
    /// - Parameters:
    ///   - byteCount: The greatest size in bytes.
    ///   - depth: How deep arrays and objects may be nested.
    ///   - normalizedNameByteCount: How many bytes the names may have that are not ASCII. More is for documents of trusted authors.
    public init(byteCount: Int, depth: Int, normalizedNameByteCount: Int = 1024) {
        self.byteCount = byteCount
        self.depth = min(depth, Self.greatestDepth)
        self.normalizedNameByteCount = normalizedNameByteCount
    }

    /// What one message between client and server may hold: 64 KiB, nested 8 deep, 1 KiB of names that are not ASCII.
    public static let message = JSONLimits(byteCount: 64 * 1024, depth: 8)
}
