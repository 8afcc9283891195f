public import NightlatchWire

/// SHA-256 of a session token. Tokens have 256 random bits, so the hash can be looked up and tells nothing.
public typealias JourneySessionHash = StoredHash<JourneySessionSubject>

/// A session token, as what a ``StoredHash`` stands for.
public enum JourneySessionSubject: StoredHashSubject {}

/// A session that a journey ends with.
public struct NewJourneySession: Hashable, Sendable {
    public let token: JourneySessionHash
    public let user: UserID
    public let journey: String
    /// The key that signed last on the way, if one has.
    public let key: JourneyKeyID?
    public let life: Duration

    public init(token: JourneySessionHash, user: UserID, journey: String, key: JourneyKeyID?, life: Duration) {
        self.token = token
        self.user = user
        self.journey = journey
        self.key = key
        self.life = life
    }
}

/// A session that lives.
public struct JourneySession: Hashable, Sendable {
    public let user: UserID
    public let journey: String
    public let key: JourneyKeyID?
    public let beganAt: NumericDate
    public let expiresAt: NumericDate

    public init(user: UserID, journey: String, key: JourneyKeyID?, beganAt: NumericDate, expiresAt: NumericDate) {
        self.user = user
        self.journey = journey
        self.key = key
        self.beganAt = beganAt
        self.expiresAt = expiresAt
    }
}
