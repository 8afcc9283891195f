package import NightlatchWire

/// A fact that a node requests; the walker looks it up in the store.
package enum JourneyQuestion: Hashable, Sendable {
    case devices(of: UserID)
    /// The key of this name, if any.
    case device(JourneyKeyID, of: UserID)
    /// Whether the key is bound to another user, or under another name.
    case isKeyTaken(KeyID, as: JourneyKeyID, of: UserID)
    case areRight(Credentials)
    /// Whether the user exists.
    case isKnown(UserID)
    /// The hash of the password of a new user.
    case hash(of: Credentials)
    /// The outcome that the app's backend chooses.
    case decision(BackendQuestion)

    /// The user whose identity the fact may prove; nil if the fact identifies no user.
    var user: UserID? {
        switch self {
        case .devices(let user), .device(_, let user), .isKnown(let user): user
        case .areRight(let credentials), .hash(of: let credentials): credentials.user
        case .isKeyTaken, .decision: nil
        }
    }
}

/// The facts that were looked up so far.
package struct JourneyFacts: Hashable, Sendable {
    package var devices: [UserID: [JourneyDevice]] = [:]
    /// For each `device` question, the key that was found; empty if there is none.
    var namedDevices: [JourneyQuestion: [JourneyDevice]] = [:]
    package var takenKeys: [JourneyQuestion: Bool] = [:]
    package var passwords: [Credentials: Bool] = [:]
    package var knownUsers: [UserID: Bool] = [:]
    var hashes: [Credentials: StoredPassword] = [:]
    /// For each question to a backend, the outcome; nil if the backend chose none.
    package var decisions: [BackendQuestion: String?] = [:]
    /// The generation of each user's journeys, read before any other fact about that user.
    var generations: [UserID: Int] = [:]
    /// Whether the request's message was used before.
    var isMessageUsed = false

    package init() {}

    /// Drops the facts that may have changed since they were looked up. The results of password tests, the hashes
    /// and the decisions of backends stay, so that no password is tested or hashed twice and no backend asked twice.
    mutating func forgetStored() {
        devices = [:]
        namedDevices = [:]
        takenKeys = [:]
        knownUsers = [:]
    }
}

/// The context of a request that nodes use.
package struct JourneySurroundings: Sendable {
    let realm: JourneyRealm
    let languages: AcceptedLanguages
    let now: NumericDate
    let verifier: JourneySigningVerifier
    /// Makes 32 random bytes in padded Base64, the form that Android clients expect.
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
