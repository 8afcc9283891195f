public import Nightlatch
internal import NightlatchWire

/// The journey succeeded. From now on, the app signs with the keys that the journey bound.
public struct SuccessNode: Node {
    private let answer: JSONObject
    public let session: JourneySession
    /// The error of the key registry, if it could not record that a key was bound, or could not remove an old key;
    /// otherwise nil. The login is valid in both cases. If the new key was not recorded, the previous key continues to
    /// sign.
    public let unsettledDeviceBinding: UserKeyError?

    init(_ answer: JourneyServer.Answer, session: JourneySession, unsettled: UserKeyError?) {
        self.answer = answer.body
        self.session = session
        unsettledDeviceBinding = unsettled
    }

    /// The server's answer, unchanged.
    public var input: [String: Any] { answer.foundation }
}

extension SuccessNode: CustomReflectable {
    /// Leaves out the server's answer, which contains the session's token.
    public var customMirror: Mirror {
        Mirror(self, children: ["session": session, "unsettledDeviceBinding": unsettledDeviceBinding as Any])
    }
}

/// The server refused. The keys that the journey was to bind are removed. Earlier keys remain.
public struct ErrorNode: Node {
    private let answer: JSONObject
    public let status: Int
    /// The server's message.
    public let message: String
    /// The reason why a key could not be removed; nil if all were removed. The next binding removes the remaining keys.
    public let unsettledDeviceBinding: UserKeyError?

    init(_ answer: JourneyServer.Answer, unsettled: UserKeyError?) {
        self.answer = answer.body
        status = answer.status
        message = answer.body["message"]?.string ?? ""
        unsettledDeviceBinding = unsettled
    }

    /// The server's answer, unchanged.
    public var input: [String: Any] { answer.foundation }

    /// Whether the server ended the journey because it took too long. If so, begin the journey again.
    public var isSessionTimeout: Bool { answer["detail"]?.object?["errorCode"]?.string == "110" }
}

/// The step has no valid answer from the server; ``JourneyError`` says for each cause whether the server may have
/// accepted it. Keys that the journey was to bind remain. They are used for signing only if the user has no earlier
/// key.
public struct FailureNode: Node {
    /// A ``JourneyError``.
    public let cause: any Error

    let leavesStepOpen: Bool

    init(_ cause: JourneyError) {
        self.cause = cause
        leavesStepOpen = cause.leavesStepOpen
    }
}
