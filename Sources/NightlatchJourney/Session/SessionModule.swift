internal import Nightlatch

/// The module for the session of a ``Journey``. Every journey has it; register it to change its settings.
///
/// ```swift
/// config.module(SessionModule.config) { session in
///     session.storage = SecureStorage(KeychainStore(service: "com.example.app", account: "session"))
/// }
/// ```
public enum SessionModule {
    public static let config = Module<SessionConfig>("session") { SessionConfig() }
}

/// The settings for the session of a journey.
public final class SessionConfig: Sendable {
    private let chosen = Locked<(any Storage<SSOTokenImpl>)?>(nil)
    private let memory = MemoryStorage<SSOTokenImpl>()

    init() {}

    /// The storage of the session: initially one in memory. The journey uses that only if
    /// ``WorkflowConfig/secureStore`` is not set either.
    public var storage: any Storage<SSOTokenImpl> {
        get { chosen.withLock { $0 } ?? memory }
        set { chosen.withLock { $0 = newValue } }
    }

    /// The storage that the app has set. Nil if it has set none.
    var chosenStorage: (any Storage<SSOTokenImpl>)? { chosen.withLock { $0 } }
}
