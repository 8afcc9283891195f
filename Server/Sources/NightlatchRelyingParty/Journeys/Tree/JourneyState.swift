package import NightlatchWire

/// The state of a journey. The client keeps it, sealed, between two requests.
package struct JourneyState: Codable, Hashable, Sendable {
    package let journey: String
    /// The next node, or the node that waits for an answer.
    package var node: String
    /// The user whose identity the client has proved, in this journey or by its session.
    package var user: UserID?
    /// The generation of the user's journeys, read before the client proved its identity.
    var generation: Int?
    /// The session that identifies the user, until a password or a signature does.
    var session: JourneySessionHash?
    /// The user name that the client entered. It is not verified.
    var username: String?
    /// Attributes that nodes stored for other nodes, by name.
    ///
    /// Signed claims are kept separately; ``attribute(_:)`` reads both.
    var attributes: [String: String] = [:]
    /// The challenge of the node that waits for an answer.
    var challenge: String?
    /// A verified key that a later storage node binds.
    var pendingBinding: JourneyBinding?
    /// The key that signed last.
    var signingKey: JourneyKeyID?
    /// The content that ``signingKey`` signed, if it signed in this journey; otherwise nil.
    var signed: JourneySigned?
    /// The client's description of itself in the message that was signed last, as a JSON object.
    var signedDescriptions: String?
    /// The claims of the last binding, as a JSON object; nil while ``pendingBinding`` contains them.
    var boundClaims: String?
    /// The client's description of itself in the last binding, as a JSON object.
    var boundDescriptions: String?
    /// Whether the client asked that the journey begins no session.
    var omitsSession = false
    /// The time at which the journey expires.
    package let expiresAt: NumericDate

    /// The largest size in bytes. The state is part of every response, and a request must also have room for a message.
    package static let byteCountLimit = 20 * 1024

    /// Removes the user's identity and everything that depends on it.
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

    /// Identifies the client as `user`, because the client entered the right password.
    mutating func prove(_ user: UserID) {
        if self.user != user { forgetUser() }
        if session != nil {
            session = nil
            // The signing key was that of the session. A key that signed in this journey still counts.
            if signed == nil { signingKey = nil }
        }
        self.user = user
    }

    /// The evidence that must still hold for the client's identity; nil if the client has not proved its identity.
    var ground: JourneyGround? {
        guard let user, let generation else { return nil }
        let evidence = session.map(JourneyGround.Evidence.session) ?? signingKey.map(JourneyGround.Evidence.key)
        return JourneyGround(user: user, generation: generation, evidence: evidence)
    }
}

/// The effects and secrets of one request, which are not part of the sealed state.
package struct JourneyRequestState: Hashable, Sendable {
    /// The entered password, which is dropped when the request ends.
    var password: Password?
    /// The user that the request creates.
    var creation: NewJourneyUser?
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
    /// Whether the request contains a signature by a bound key, over any content.
    var isSigned = false

    /// The names of the keys that `user` will have once this request is recorded: the keys in `stored`, and those that
    /// the request binds.
    ///
    /// A key that is bound under the name of another key replaces that key.
    func keyNames(of user: UserID, stored: [JourneyDevice]) -> Set<JourneyKeyID> {
        Set((stored + bindings.map(\.device).filter { $0.user == user }).map(\.id))
    }
}

extension JourneyState {
    /// The initial state at `node`.
    package init(journey: String, node: String, expiresAt: NumericDate) {
        self.init(journey: journey, node: node, user: nil, expiresAt: expiresAt)
    }
}
