/// The guarantees of the place where a store keeps its record. The lockout depends on them, and an app can show them to
/// users.
public struct StoreGuarantees: Hashable, Sendable {
    /// A copy of the record cannot be read on another device.
    public let isDeviceBound: Bool
    /// The record remains when the app is removed.
    public let survivesReinstall: Bool
    /// An old copy of the record cannot replace the current one.
    public let resistsRollback: Bool

    public init(isDeviceBound: Bool, survivesReinstall: Bool, resistsRollback: Bool) {
        self.isDeviceBound = isDeviceBound
        self.survivesReinstall = survivesReinstall
        self.resistsRollback = resistsRollback
    }
}
