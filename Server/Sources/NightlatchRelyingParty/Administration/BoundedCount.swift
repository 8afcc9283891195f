/// The number of rows of a list, exact up to ``limit``.
package struct BoundedCount: Hashable, Sendable {
    /// The largest number that is counted exactly.
    package static let limit = 10_000

    /// The number of no rows.
    package static let none = Self(counted: 0)

    /// The number; ``limit`` if there are more.
    package let value: Int
    /// Whether there are more than ``limit``.
    package let isMore: Bool

    /// - Parameter counted: The rows that were counted, at most one more than ``limit``.
    init(counted: Int) {
        value = min(counted, Self.limit)
        isMore = counted > Self.limit
    }
}
