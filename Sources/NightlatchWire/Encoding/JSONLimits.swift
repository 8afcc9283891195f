/// How much JSON is read before it is refused. Every decoder has such a bound, so that no message can exhaust memory
/// or the stack.
public struct JSONLimits: Sendable, Hashable {
    /// The greatest size in bytes.
    public let byteCount: Int
    /// How deep arrays and objects may be nested.
    public let depth: Int

    /// The depth that no limit exceeds: what a thread with a small stack can take.
    public static let greatestDepth = 64

    /// Limits with these bounds; a depth beyond ``greatestDepth`` counts as that.
    public init(byteCount: Int, depth: Int) {
        self.byteCount = byteCount
        self.depth = min(depth, Self.greatestDepth)
    }

    /// What one message between client and server may hold: 64 KiB, nested 8 deep.
    public static let message = JSONLimits(byteCount: 64 * 1024, depth: 8)
}
