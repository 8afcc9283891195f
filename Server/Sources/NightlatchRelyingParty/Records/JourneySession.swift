public import NightlatchWire

/// SHA-256 of a session token. Tokens have 256 random bits, so the hash can be looked up and tells nothing.
public typealias JourneySessionHash = StoredHash<JourneySessionSubject>

/// A session token, as what a ``StoredHash`` stands for.
public enum JourneySessionSubject: StoredHashSubject {}

/// What a key has signed in a journey, for who must know what a person has agreed to.
public struct JourneySigned: Codable, Hashable, Sendable {
    /// The text, or random bytes in Base64.
    public let challenge: String
    /// What the app let the person sign beyond what the protocol demands, as one JSON object; nil for nothing.
    public let claims: String?
    /// When the signature was verified.
    public let at: NumericDate

    public init(challenge: String, claims: String?, at: NumericDate) {
        self.challenge = challenge
        self.claims = claims
        self.at = at
    }
}

/// A session that a journey ends with.
public struct NewJourneySession: Hashable, Sendable {
    public let token: JourneySessionHash
    public let user: UserID
    public let journey: String
    /// The key that signed last on the way, if one has.
    public let key: JourneyKeyID?
    /// What that key has signed in this journey; nil if none has.
    public let signed: JourneySigned?
    public let life: Duration

    public init(
        token: JourneySessionHash,
        user: UserID,
        journey: String,
        key: JourneyKeyID?,
        signed: JourneySigned? = nil,
        life: Duration
    ) {
        self.token = token
        self.user = user
        self.journey = journey
        self.key = key
        self.signed = signed
        self.life = life
    }
}

/// A session that lives.
public struct JourneySession: Hashable, Sendable {
    public let user: UserID
    public let journey: String
    public let key: JourneyKeyID?
    public let signed: JourneySigned?
    public let beganAt: NumericDate
    public package(set) var expiresAt: NumericDate

    public init(
        user: UserID,
        journey: String,
        key: JourneyKeyID?,
        signed: JourneySigned? = nil,
        beganAt: NumericDate,
        expiresAt: NumericDate
    ) {
        self.user = user
        self.journey = journey
        self.key = key
        self.signed = signed
        self.beganAt = beganAt
        self.expiresAt = expiresAt
    }
}
