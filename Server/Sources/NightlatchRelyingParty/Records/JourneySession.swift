public import NightlatchWire

/// The SHA-256 of a session token.
///
/// A token has 256 random bits, so its hash can be used for lookup and does not reveal it.
public typealias JourneySessionHash = StoredHash<JourneySessionSubject>

/// The subject of the ``StoredHash`` of a session token.
public enum JourneySessionSubject: StoredHashSubject {}

/// The content that a key signed in a journey, as evidence of what a user agreed to.
public struct JourneySigned: Codable, Hashable, Sendable {
    /// The text, or random bytes in Base64.
    public let challenge: String
    /// The signed claims that the protocol does not require, as one JSON object; nil for none.
    public let claims: String?
    /// The time at which the signature was verified.
    public let at: NumericDate

    public init(challenge: String, claims: String?, at: NumericDate) {
        self.challenge = challenge
        self.claims = claims
        self.at = at
    }
}

/// The session that a successful journey begins.
public struct NewJourneySession: Hashable, Sendable {
    public let token: JourneySessionHash
    public let user: UserID
    public let journey: String
    /// The key that signed last in the journey; nil if no key signed.
    public let key: JourneyKeyID?
    /// The content that this key signed in the journey; nil if no key signed.
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

/// A live session.
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
