public import NightlatchWire

/// The id of one sign-in to the console: 16 random bytes. It grants no access without the browser's sealed session.
public typealias ConsoleSessionID = Identifier<ConsoleSessionIDRule>

public enum ConsoleSessionIDRule: BinaryIdentifierRule {
    public static let name = "console session id"
    public static let byteCount = 16
}

/// Records which console sessions were signed out early, so that every process that shares the store refuses them.
///
/// Each verb is one transaction, as in ``RelyingPartyStore``.
public protocol ConsoleSessionStore: Sendable {
    /// Records that an operator signed out. The record is kept until the session would have expired. Idempotent.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - expiresAt: The time at which the session would have expired. The session is not looked up after that time.
    func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(RelyingPartyStoreError)

    /// Whether the session was signed out. Writes nothing.
    func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(RelyingPartyStoreError) -> Bool
}
