internal import NightlatchWire

/// The session in which a journey ended.
public struct JourneySession: SSOToken, Hashable {
    /// The session token. Empty after a journey without a session.
    public let value: String
    /// The URL to which the server would redirect a browser.
    public let successUrl: String
    public let realm: String
}

extension JourneySession {
    /// Whether an answer without a further step is a success: it has a token, or a URL to go to next. With a URL, the
    /// token may be empty.
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
    /// Leaves out the token, which is a secret.
    public var description: String { "JourneySession(realm: \(realm), successUrl: \(successUrl))" }

    public var customMirror: Mirror { Mirror(self, children: ["realm": realm, "successUrl": successUrl]) }
}
