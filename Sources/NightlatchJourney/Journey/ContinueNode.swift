internal import Nightlatch
internal import NightlatchWire

/// A step with questions: fill in the callbacks, then call ``next()``.
public struct ContinueNode: Node {
    private let authID: String
    private let asked: [any StatefulCallback]
    private let answer: JourneyServer.Answer
    private let run: JourneyRun
    /// The number of times that the step was sent, the current time included. A time does not count if the server
    /// certainly did not accept the step.
    private let sendings = Locked(0)

    init(_ authID: String, _ callbacks: [any StatefulCallback], _ answer: JourneyServer.Answer, run: JourneyRun) {
        self.authID = authID
        asked = callbacks
        self.answer = answer
        self.run = run
    }

    /// The questions, in the server's order. Unknown kinds are ``UnknownCallback``s, and are sent back with the others.
    public var callbacks: [any Callback] { asked }

    /// The server's name for this page, if it has one.
    public var stage: String? { answer.body["stage"]?.string }
    public var header: String? { answer.body["header"]?.string }
    public var description: String? { answer.body["description"]?.string }

    /// The server's answer, unchanged.
    public var input: [String: Any] { answer.body.foundation }

    /// Sends all callbacks back and returns the next node. The server accepts one answer to a step.
    ///
    /// A step that binds or signs, and every later step, is sent only once. A second call returns a ``FailureNode``
    /// with ``JourneyError/alreadyAnswered``, whatever the result of the first. If a repeated answer were sent, the
    /// server would refuse the repetition, and the refusal would remove the key. A step can be sent again only if the
    /// server certainly did not accept it (``JourneyError/leavesStepOpen``).
    public func next() async -> any Node {
        let usesKeys =
            run.hasUsedKeys || asked.contains { $0.state.offeredKey != nil || $0.state.signedKey != nil }
        let isOpen = sendings.withLock { sendings in
            guard sendings == 0 || !usesKeys else { return false }
            sendings += 1
            return true
        }
        guard isOpen else { return FailureNode(.alreadyAnswered) }
        let node = await run.answer(authID, asked)
        if (node as? FailureNode)?.leavesStepOpen == true { sendings.withLock { $0 -= 1 } }
        return node
    }
}

extension ContinueNode: CustomReflectable {
    /// Leaves out the authentication session and the typed values.
    public var customMirror: Mirror { Mirror(self, children: ["callbacks": asked.map(\.type)]) }
}
