public import Nightlatch

/// The reason why a step of a journey has no valid answer of the server, or why the server refused a request.
public enum JourneyError: Error, Hashable, Sendable {
    /// The journey has no server, or one that is not `https`, or no transport. Nothing was sent.
    case notConfigured
    /// There was no answer. The server may have accepted the step; start the journey again.
    case transport(HTTPTransportError)
    /// The answer is not in the server's format. It comes from a proxy, or the server has a defect.
    case unintelligible(status: Int)
    /// The server failed. It may have accepted the step; start the journey again.
    ///
    /// With 429 it did not accept the step, because there were too many requests. Call ``ContinueNode/next()`` again
    /// later.
    case serverFailed(status: Int)
    /// A key that this step was to bind is gone, or the registry of keys could not be written.
    ///
    /// Nothing was sent, and the step may be sent again. From ``BoundDevices/delete(_:)``, the error means that the
    /// server deleted the device but its key here could not be removed.
    case deviceBinding(UserKeyError)
    /// The step was sent before, and it binds or signs. Nothing was sent. Start the journey again.
    case alreadyAnswered
    /// There is no session to use or end. Nothing was sent.
    case noSession
    /// The server refused, with its own message.
    case refused(status: Int, message: String)
}

extension JourneyError {
    /// Whether the server certainly did not accept the step, because nothing was sent or the server was too busy.
    ///
    /// The same step can then be sent again with ``ContinueNode/next()``, even if it binds or signs.
    public var leavesStepOpen: Bool {
        switch self {
        case .notConfigured, .deviceBinding, .serverFailed(status: 429): true
        case .transport, .unintelligible, .serverFailed, .alreadyAnswered, .noSession, .refused: false
        }
    }
}
