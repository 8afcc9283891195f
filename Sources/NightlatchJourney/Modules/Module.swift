/// A part of a workflow that an app can register, with settings of the type `Config`.
public struct Module<Config: Sendable>: Sendable {
    let name: String
    let makeConfig: @Sendable () -> Config

    init(_ name: String, makeConfig: @escaping @Sendable () -> Config) {
        self.name = name
        self.makeConfig = makeConfig
    }
}

/// The effect of registering a module that is already registered.
public enum OverrideMode: Hashable, Sendable {
    /// The new settings replace the earlier ones. The priority stays.
    case override
    /// Both registrations stay. Of several, the one with the greatest priority counts, and of those the last.
    case append
    /// The earlier settings stay.
    case ignore
}
