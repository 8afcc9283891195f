public import NightlatchWire

/// One sign-in to the console: 16 random bytes. They let nobody in without the seal that the browser has beside them.
public typealias ConsoleSessionID = Identifier<ConsoleSessionIDRule>

public enum ConsoleSessionIDRule: BinaryIdentifierRule {
    public static let name = "console session id"
    public static let byteCount = 16
}

/// Which of the console's sessions were signed out before their time, so that every process that shares the store knows. As with the other
/// verbs of a ``RelyingPartyStore``, each is one transaction.
public protocol ConsoleSessionStore: Sendable {
    /// Notes that an operator has signed out, until the session would have ended anyway. Again changes nothing.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - expiresAt: When it would have ended; no later than that does anybody ask for it.
    func endConsoleSession(_ id: ConsoleSessionID, expiresAt: NumericDate) async throws(StoreError)

    /// Whether the session was signed out. Writes nothing.
    func isConsoleSessionEnded(_ id: ConsoleSessionID) async throws(StoreError) -> Bool
}
