package import NightlatchWire

/// Something that a node must know and cannot: whoever walks the journey finds it out.
package enum JourneyQuestion: Hashable, Sendable {
    case devices(of: UserID)
    /// The one key of this name.
    case device(JourneyKeyID, of: UserID)
    /// Whether the key is bound to another user, or under another name.
    case isKeyTaken(KeyID, as: JourneyKeyID, of: UserID)
    case areRight(Credentials)

    /// Whom the answer may show the client to be.
    var user: UserID? {
        switch self {
        case .devices(let user), .device(_, let user): user
        case .areRight(let credentials): credentials.user
        case .isKeyTaken: nil
        }
    }
}

/// What was found out so far.
package struct JourneyFacts: Hashable, Sendable {
    package var devices: [UserID: [JourneyDevice]] = [:]
    /// For each question after one key none, or that key.
    var namedDevices: [JourneyQuestion: [JourneyDevice]] = [:]
    package var takenKeys: [JourneyQuestion: Bool] = [:]
    package var passwords: [Credentials: Bool] = [:]
    /// How often journeys of each user had been stopped before anything else was found out about them.
    var generations: [UserID: Int] = [:]
    /// Whether the message that the request brings served before.
    var isMessageUsed = false

    package init() {}

    /// Forgets what may have changed meanwhile. A password is not tried again.
    mutating func forgetStored() {
        devices = [:]
        namedDevices = [:]
        takenKeys = [:]
    }
}

/// What nodes are told of where and when they are.
package struct JourneySurroundings: Sendable {
    let realm: JourneyRealm
    let languages: AcceptedLanguages
    let now: NumericDate
    let verifier: JourneySigningVerifier
    /// 32 random bytes in Base64 with padding, which Android clients read as such.
    let makeChallenge: @Sendable () -> String

    package init(
        realm: JourneyRealm,
        languages: AcceptedLanguages,
        now: NumericDate,
        verifier: JourneySigningVerifier,
        makeChallenge: @escaping @Sendable () -> String
    ) {
        self.realm = realm
        self.languages = languages
        self.now = now
        self.verifier = verifier
        self.makeChallenge = makeChallenge
    }
}
