internal import NightlatchWire

/// What a journey has ended with.
public struct JourneySession: Hashable, Sendable {
    /// The session token; empty after a journey without a session.
    public let value: String
    /// Where the server would send a browser now.
    public let successUrl: String
    public let realm: String
}

extension JourneySession {
    /// Whether an answer without a further step is a journey's success: it gives a token, which may be empty, or says where to go next.
    static func isSuccess(_ answer: JSONObject) -> Bool {
        guard answer["tokenId"] == nil || answer["tokenId"]?.string != nil else { return false }
        return answer["tokenId"]?.string?.isEmpty == false || answer["successUrl"]?.string != nil
    }

    init(_ answer: JSONObject) {
        value = answer["tokenId"]?.string ?? ""
        successUrl = answer["successUrl"]?.string ?? ""
        realm = answer["realm"]?.string ?? ""
    }
}

extension JourneySession: CustomStringConvertible, CustomReflectable {
    /// Without the token, which is a secret.
    public var description: String { "JourneySession(realm: \(realm), successUrl: \(successUrl))" }

    public var customMirror: Mirror { Mirror(self, children: ["realm": realm, "successUrl": successUrl]) }
}
