public import Nightlatch
internal import NightlatchWire

/// The journey succeeded. From now on, the keys that it bound sign.
public struct SuccessNode: Node {
    private let answer: JSONObject
    public let session: JourneySession
    /// The reason why the registry could not record that a key was bound or that an old key was removed. Nil if it
    /// could. The login is valid, and the previous key continues to sign.
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
    /// The reason why a key could not be removed. Nil if all were removed. The next binding removes it.
    public let unsettledDeviceBinding: UserKeyError?

    init(_ answer: JourneyServer.Answer, unsettled: UserKeyError?) {
        self.answer = answer.body
        status = answer.status
        message = answer.body["message"]?.string ?? ""
        unsettledDeviceBinding = unsettled
    }

    /// The server's answer, unchanged.
    public var input: [String: Any] { answer.foundation }

    /// Whether the journey took too long for the server. Start it again.
    public var isSessionTimeout: Bool { answer["detail"]?.object?["errorCode"]?.string == "110" }
}

/// There was no valid answer, and the server's state is unknown. Keys that the journey was to bind remain, and sign if
/// there is no other key.
public struct FailureNode: Node {
    /// A ``JourneyError``.
    public let cause: any Error

    let leavesStepOpen: Bool

    init(_ cause: JourneyError) {
        self.cause = cause
        leavesStepOpen = cause.leavesStepOpen
    }
}
