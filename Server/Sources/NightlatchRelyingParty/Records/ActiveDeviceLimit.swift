/// The largest number of unrevoked devices of a user.
public struct ActiveDeviceLimit: Hashable, Sendable {
    /// The permitted values. A list of more devices would be larger than clients accept.
    public static let range = 1...100

    /// One hundred.
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
