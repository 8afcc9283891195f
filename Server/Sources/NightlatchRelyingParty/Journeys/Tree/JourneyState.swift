package import NightlatchWire

/// What a journey has learnt so far. Between two requests the client keeps it, sealed.
package struct JourneyState: Codable, Hashable, Sendable {
    package let journey: String
    /// The node that is next, or that waits for its answer.
    package var node: String
    /// Who the client has proved to be, on the way or by the session that it came with.
    package var user: UserID?
    /// How often the user's journeys had been stopped before the client showed who it is.
    var generation: Int?
    /// The session that this is known by, until a password or a signature shows it.
    var session: JourneySessionHash?
    /// Whom the client has named. Nothing is known of them.
    var username: String?
    /// By name what nodes left for others, but for the claims that were signed: ``attribute(_:)`` has those, too.
    var attributes: [String: String] = [:]
    /// What the waiting node gave to be signed.
    var challenge: String?
    /// A key that was verified and is not to be bound before a storage node says so.
    var pendingBinding: JourneyBinding?
    /// The key that signed last.
    var signingKey: JourneyKeyID?
    /// What it has signed, if that was in this journey.
    var signed: JourneySigned?
    /// What the client said of itself with it, as a JSON object.
    var signedDescriptions: String?
    /// The claims of the last binding, as a JSON object; nil for those of ``pendingBinding``.
    var boundClaims: String?
    /// What the client said of itself with the last binding, as a JSON object.
    var boundDescriptions: String?
    /// Whether the client wants no session in the end.
    var omitsSession = false
    /// When the session of the journey is over.
    package let expiresAt: NumericDate

    /// How many bytes it may take: it travels with every answer, and in a request there must be room for a message beside it.
    package static let byteCountLimit = 20 * 1024

    /// Forgets who the client has proved to be, with all that hangs on it.
    mutating func forgetUser() {
        user = nil
        generation = nil
        session = nil
        signingKey = nil
        signed = nil
        signedDescriptions = nil
        pendingBinding = nil
        boundClaims = nil
        boundDescriptions = nil
        attributes[Attribute.signingProtection] = nil
    }

    /// Takes `user` for who the client is, because a password was right.
    mutating func prove(_ user: UserID) {
        if self.user != user { forgetUser() }
        if session != nil {
            session = nil
            // That of the session; one that has signed here goes on counting.
            if signed == nil { signingKey = nil }
        }
        self.user = user
    }

    /// What must hold still for the client to be who it has proved to be; nil if it has proved nothing.
    var ground: JourneyGround? {
        guard let user, let generation else { return nil }
        let evidence = session.map(JourneyGround.Evidence.session) ?? signingKey.map(JourneyGround.Evidence.key)
        return JourneyGround(user: user, generation: generation, evidence: evidence)
    }
}

/// What a journey learns or does within one request, and which must not travel.
package struct JourneyRequestState: Hashable, Sendable {
    /// It was typed a moment ago, and is forgotten with the request.
    var password: Password?
    package var bindings: [JourneyBinding] = []
    var signings: [JourneySigning] = []
    var messages: [JourneyMessageUse] = []

    package init(
        password: Password? = nil,
        bindings: [JourneyBinding] = [],
        signings: [JourneySigning] = [],
        messages: [JourneyMessageUse] = []
    ) {
        self.password = password
        self.bindings = bindings
        self.signings = signings
        self.messages = messages
    }
    /// Whether it brought a signature by a bound key, over whatever.
    var isSigned = false

    /// The names of the keys that `user` has once this request is recorded: `stored`, and those that it binds. A key that is bound under the name
    /// of another replaces it.
    func keyNames(of user: UserID, stored: [JourneyDevice]) -> Set<JourneyKeyID> {
        Set((stored + bindings.map(\.device).filter { $0.user == user }).map(\.id))
    }
}

extension JourneyState {
    /// At `node`, with nothing learnt.
    package init(journey: String, node: String, expiresAt: NumericDate) {
        self.init(journey: journey, node: node, user: nil, expiresAt: expiresAt)
    }
}
