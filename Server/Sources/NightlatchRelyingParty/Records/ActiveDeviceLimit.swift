/// How many devices that are not revoked a user may have.
public struct ActiveDeviceLimit: Hashable, Sendable {
    /// What it may be. A list of more devices would be larger than what clients read.
    public static let range = 1...100

    /// A hundred.
    public static let `default` = Self(unchecked: 100)

    public let count: Int

    /// Returns nil for a count outside ``range``.
    public init?(_ count: Int) {
        guard Self.range.contains(count) else { return nil }
        self.count = count
    }

    private init(unchecked count: Int) {
        self.count = count
    }
}
