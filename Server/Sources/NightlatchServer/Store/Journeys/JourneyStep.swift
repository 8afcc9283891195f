public import NightlatchWire

/// What one request to a journey does, ready to be recorded.
public struct JourneyStep: Hashable, Sendable {
    /// What the request answers; nil for one that begins a journey.
    public let use: JourneyStepUse?
    public let bindings: [JourneyBinding]
    public let signings: [JourneySigning]
    /// The session that the journey ends with, if it does.
    public let session: NewJourneySession?

    public init(
        use: JourneyStepUse?,
        bindings: [JourneyBinding] = [],
        signings: [JourneySigning] = [],
        session: NewJourneySession? = nil
    ) {
        self.use = use
        self.bindings = bindings
        self.signings = signings
        self.session = session
    }
}

/// The right to answer what a journey asked, which is used up with the answer. Only an opened `authId` gives one.
public struct JourneyStepUse: Hashable, Sendable {
    public let oneTimeKey: Challenge
    public let expiresAt: NumericDate

    public init(oneTimeKey: Challenge, expiresAt: NumericDate) {
        self.oneTimeKey = oneTimeKey
        self.expiresAt = expiresAt
    }
}

/// A key to be bound.
public struct JourneyBinding: Codable, Hashable, Sendable {
    public let device: JourneyDevice
    /// How many keys the user may have, this one included; nil for any number.
    public let limit: Int?

    public init(device: JourneyDevice, limit: Int?) {
        self.device = device
        self.limit = limit
    }
}

/// A verified signature by a bound key.
public struct JourneySigning: Hashable, Sendable {
    public let key: JourneyKeyID
    public let user: UserID
    /// What the app let the person sign beyond what the protocol demands, as one JSON object; nil for nothing.
    public let claims: String?

    public init(key: JourneyKeyID, user: UserID, claims: String?) {
        self.key = key
        self.user = user
        self.claims = claims
    }
}

/// What became of a ``JourneyStep``. Only ``recorded`` wrote anything.
public enum JourneyStepOutcome: Hashable, Sendable {
    case recorded
    /// What the request answers was answered before.
    case used
    /// What the request answers is past its life by the store's clock.
    case expired
    /// A key, or its name, is bound already.
    case keyTaken
    /// The user has as many keys as a user may have.
    case tooManyDevices
    /// A key that has signed is bound no more.
    case noSuchDevice
}
