/// What a store's place promises, for the lockout to build on and for people to be told.
public struct StoreGuarantees: Hashable, Sendable {
    /// A copy that is taken to another device cannot be read there.
    public let isDeviceBound: Bool
    /// The record outlives the app's removal.
    public let survivesReinstall: Bool
    /// An old copy cannot be put back in the record's place.
    public let resistsRollback: Bool

    public init(isDeviceBound: Bool, survivesReinstall: Bool, resistsRollback: Bool) {
        self.isDeviceBound = isDeviceBound
        self.survivesReinstall = survivesReinstall
        self.resistsRollback = resistsRollback
    }
}
