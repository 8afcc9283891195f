/// The state of a remote login. Only ``pending`` and ``confirmed`` can change.
public enum RemoteLoginState: String, Codable, Hashable, Sendable, CaseIterable {
    /// It waits for the user's decision.
    case pending
    /// The user confirmed it. The browser or backend has not continued yet.
    case confirmed
    case rejected
    /// The user entered another number than the login page showed.
    case numberWrong = "number_wrong"
    /// Devices of two users scanned the same code, so it is unknown who sits in front of the screen.
    case contested
    case expired
    /// The browser or backend continued: the user is logged in.
    case completed
}
