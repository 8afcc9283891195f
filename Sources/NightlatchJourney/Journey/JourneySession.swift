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
