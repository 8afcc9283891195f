public import Nightlatch
internal import NightlatchWire

/// The journey has succeeded. Keys that it has bound are what signs from now on.
public struct SuccessNode: Node {
    private let answer: JSONObject
    public let session: JourneySession
    /// Why it could not be written down that a key was bound, or an old one removed; nil if all was. The login holds, and the key before
    /// goes on signing.
    public let unsettledDeviceBinding: UserKeyError?

    init(_ answer: JourneyServer.Answer, session: JourneySession, unsettled: UserKeyError?) {
        self.answer = answer.body
        self.session = session
        unsettledDeviceBinding = unsettled
    }

    /// The server's answer as it came.
    public var input: [String: Any] { answer.foundation }
}

extension SuccessNode: CustomReflectable {
    /// Without the server's answer, which holds the session's token.
    public var customMirror: Mirror {
        Mirror(self, children: ["session": session, "unsettledDeviceBinding": unsettledDeviceBinding as Any])
    }
}

/// The server has said no. Keys that the journey was to bind are gone; what was bound before is there still.
public struct ErrorNode: Node {
    private let answer: JSONObject
    public let status: Int
    /// What the server says about it.
    public let message: String
    /// Why a key could not be removed; nil if all were. It goes with the next binding.
    public let unsettledDeviceBinding: UserKeyError?

    init(_ answer: JourneyServer.Answer, unsettled: UserKeyError?) {
        self.answer = answer.body
        status = answer.status
        message = answer.body["message"]?.string ?? ""
        unsettledDeviceBinding = unsettled
    }

    /// The server's answer as it came.
    public var input: [String: Any] { answer.foundation }

    /// Whether the journey took too long for the server. Start it anew.
    public var isSessionTimeout: Bool { answer["detail"]?.object?["errorCode"]?.string == "110" }
}

/// There was no answer that is one. What the server has done is not known: keys that the journey was to bind stay, and sign if there is no
/// other.
public struct FailureNode: Node {
    /// A ``JourneyError``.
    public let cause: any Error

    let leavesStepOpen: Bool

    init(_ cause: JourneyError) {
        self.cause = cause
        leavesStepOpen = cause.leavesStepOpen
    }
}
