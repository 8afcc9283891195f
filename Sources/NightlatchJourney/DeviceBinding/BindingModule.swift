internal import Nightlatch

/// The keys of this device, for programs that have no ``Journey`` at hand.
///
/// The functions use the environment of the journey that was created last, or of ``use(_:)``. They cover the keys for
/// all servers; ``Journey/userKeys`` covers one server.
public enum BindingModule {
    private struct Content: Sendable {
        var environment: DeviceBindingEnvironment?
        var logger: (any JourneyLogger)?
    }

    private static let content = Locked(Content())

    /// Does nothing: this module knows its callbacks.
    public static func registerCallbacks() {}

    /// Sets the logger for errors of the functions below.
    public static func setLogger(_ logger: any JourneyLogger) {
        content.withLock { $0.logger = logger }
    }

    /// Sets the environment, for programs that need their keys before they create a journey.
    public static func use(_ environment: DeviceBindingEnvironment) {
        content.withLock { $0.environment = environment }
    }

    /// Returns the key that signs for each user at each server. After an error it throws, and never returns an empty
    /// list.
    public static func getAllKeys() async throws -> [UserKey] {
        try await withKeys { keys async throws(UserKeyError) in try await keys.keys() }.map(UserKey.init)
    }

    /// Removes a key, and all other keys of its user at its server, with their protection. Nothing is sent to the
    /// server.
    ///
    /// Can be repeated after an error. Succeeds if there is no such key.
    public static func deleteKey(_ key: UserKey) async throws {
        try await withKeys { keys async throws(UserKeyError) in try await keys.removeOwner(ofKeyNamed: key.kid) }
    }

    /// Removes the keys for all servers with their protection. Nothing is sent to the servers. Can be repeated after an
    /// error.
    public static func deleteAllKeys() async throws {
        try await withKeys { keys async throws(UserKeyError) in try await keys.remove { _ in true } }
    }

    private static func withKeys<Value>(
        _ call: (UserKeys) async throws(UserKeyError) -> Value
    ) async throws -> Value {
        let (environment, logger) = content.withLock { ($0.environment, $0.logger) }
        guard let keys = environment?.keys else {
            throw DeviceBindingStatus.unsupported(errorMessage: "Device binding is not set up.")
        }
        do {
            return try await call(keys)
        } catch {
            logger?.e("the keys of this device cannot be used", error: error)
            throw error
        }
    }
}
