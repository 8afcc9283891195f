import NightlatchWire

/// What a journey has learnt so far. Between two requests the client keeps it, sealed.
struct JourneyState: Codable, Hashable, Sendable {
    let journey: String
    /// The node that is next, or that waits for its answer.
    var node: String
    /// Who the client has proved to be, on the way or by the session that it came with.
    var user: UserID?
    /// Whom the client has named. Nothing is known of them.
    var username: String?
    /// By name what nodes left for others.
    var attributes: [String: String] = [:]
    /// What the waiting node gave to be signed.
    var challenge: String?
    /// A key that was verified and is not to be bound before a storage node says so.
    var pendingBinding: JourneyBinding?
    /// The key that signed last.
    var signingKey: JourneyKeyID?
    /// Whether the client wants no session in the end.
    var omitsSession = false
    /// When the session of the journey is over.
    let expiresAt: NumericDate

    /// How many bytes it may take: it travels with every answer.
    static let byteCountLimit = 16 * 1024

    /// Forgets who the client has proved to be, with all that hangs on it.
    mutating func forgetUser() {
        user = nil
        signingKey = nil
        pendingBinding = nil
        forgetSignedClaims()
    }

    mutating func forgetSignedClaims() {
        attributes = attributes.filter { !$0.key.hasPrefix(Attribute.signingClaims) }
    }

    /// Under these names nodes leave what other nodes may read.
    enum Attribute {
        static let signingFailure = "DeviceSigningVerifierNode.FAILURE"
        static let signingClaims = "DeviceSigningVerifierNode.CLAIMS."
    }
}

/// What a journey learns or does within one request, and which must not travel.
struct JourneyRequestState: Hashable, Sendable {
    /// It was typed a moment ago, and is forgotten with the request.
    var password: Password?
    var bindings: [JourneyBinding] = []
    var signings: [JourneySigning] = []
}
