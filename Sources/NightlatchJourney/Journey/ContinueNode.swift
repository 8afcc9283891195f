internal import Nightlatch
internal import NightlatchWire

/// The server wants answers: fill in the callbacks, then call ``next()``.
public struct ContinueNode: Node {
    private let authID: String
    private let asked: [any StatefulCallback]
    private let answer: JourneyServer.Answer
    private let run: JourneyRun
    /// How often the step was sent, or is being sent, without it being known that the server has not taken it.
    private let sendings = Locked(0)

    init(_ authID: String, _ callbacks: [any StatefulCallback], _ answer: JourneyServer.Answer, run: JourneyRun) {
        self.authID = authID
        asked = callbacks
        self.answer = answer
        self.run = run
    }

    /// What is asked, in the server's order. A kind that this module does not know is an ``UnknownCallback``, and goes back with the others.
    public var callbacks: [any Callback] { asked }

    /// What the server calls this page, if it does.
    public var stage: String? { answer.body["stage"]?.string }
    public var header: String? { answer.body["header"]?.string }
    public var description: String? { answer.body["description"]?.string }

    /// The server's answer as it came.
    public var input: [String: Any] { answer.body.foundation }

    /// Sends the callbacks back, whole, and brings what follows. A step is answered once: the server takes no second answer.
    ///
    /// A step that binds or signs, and every step after it, is not even sent twice: a second call brings a ``FailureNode`` with
    /// ``JourneyError/alreadyAnswered``, whatever became of the first. The server's no to an answer that it has had says nothing of the key, and
    /// would cost it. Only where the server has surely not taken the answer (``JourneyError/leavesStepOpen``) may the same step be sent again.
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
    /// Without the authentication session, and without what was typed.
    public var customMirror: Mirror { Mirror(self, children: ["callbacks": asked.map(\.type)]) }
}
