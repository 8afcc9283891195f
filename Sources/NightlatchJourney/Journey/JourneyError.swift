public import Nightlatch

/// Why a journey's step brought no answer that is the server's yes, no or next question.
public enum JourneyError: Error, Hashable, Sendable {
    /// The journey has no server, or one that is not `https`, or no transport. Nothing was sent.
    case notConfigured
    /// There was no answer. The server may have taken the step; start anew.
    case transport(HTTPTransportError)
    /// The answer is not one that the server gives: what stands there is a proxy or a defect.
    case unintelligible(status: Int)
    /// The server failed. It may have taken the step; start anew. With 429 it has not: it was asked too much, so call
    /// ``ContinueNode/next()`` again later.
    case serverFailed(status: Int)
    /// A key that this step was to bind is gone, or the registry of keys could not be written. Nothing was sent, and the step may be sent
    /// again. Of ``BoundDevices/delete(_:)`` it says that the server has forgotten the device, and that its key could not be removed here.
    case deviceBinding(UserKeyError)
    /// The step was sent before, and it binds or signs. Nothing was sent; start anew.
    case alreadyAnswered
    /// There is no session that could be asked about or ended. Nothing was sent.
    case noSession
    /// The server has said no, with its own message.
    case refused(status: Int, message: String)
}

extension JourneyError {
    /// Whether the server has surely not taken the step, because nothing was sent or because it was too busy to look at it. Then the same
    /// step can be sent again with ``ContinueNode/next()``, also one that binds or signs.
    public var leavesStepOpen: Bool {
        switch self {
        case .notConfigured, .deviceBinding, .serverFailed(status: 429): true
        case .transport, .unintelligible, .serverFailed, .alreadyAnswered, .noSession, .refused: false
        }
    }
}
