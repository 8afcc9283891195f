public import NightlatchWire

/// What one request to a journey does, ready to be recorded.
public struct JourneyStep: Hashable, Sendable {
    /// What the request answers; nil for one that begins a journey.
    public let use: JourneyStepUse?
    /// What the client is known by, which must hold still; nil if it is known to be nobody.
    public let ground: JourneyGround?
    /// The messages that were verified on the way, accepted or not.
    public let messages: [JourneyMessageUse]
    public let bindings: [JourneyBinding]
    public let signings: [JourneySigning]
    /// The session that the journey ends with, if it does.
    public let session: NewJourneySession?

    public init(
        use: JourneyStepUse?,
        ground: JourneyGround? = nil,
        messages: [JourneyMessageUse] = [],
        bindings: [JourneyBinding] = [],
        signings: [JourneySigning] = [],
        session: NewJourneySession? = nil
    ) {
        self.use = use
        self.ground = ground
        self.messages = messages
        self.bindings = bindings
        self.signings = signings
        self.session = session
    }
}

extension JourneyStep {
    /// Whose row a store that locks rows locks first, in one order.
    package var users: [UserID] {
        let users = [ground?.user, session?.user] + bindings.map(\.device.user)
        return Set(users.compactMap(\.self)).sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
    }

    /// Whether two of its bindings are of one key, or of one name and user.
    package var bindsTwice: Bool {
        bindings.enumerated().contains { index, binding in
            bindings[..<index].contains { $0.isSameKey(as: binding.device) }
        }
    }

    /// The session that stays where a key is replaced that began it: the client that replaces the key came with it.
    package var keptSession: JourneySessionHash? {
        if case .session(let token) = ground?.evidence { token } else { nil }
    }
}

/// The right to answer what a journey asked, which is used up with a step that is recorded. Only an opened `authId` gives one.
public struct JourneyStepUse: Hashable, Sendable {
    public let oneTimeKey: Challenge
    public let expiresAt: NumericDate

    public init(oneTimeKey: Challenge, expiresAt: NumericDate) {
        self.oneTimeKey = oneTimeKey
        self.expiresAt = expiresAt
    }
}

/// Why a client is taken for `user`. It holds as long as nothing has stopped the user's journeys since, and its evidence is there.
public struct JourneyGround: Hashable, Sendable {
    public let user: UserID
    /// ``JourneyStore/journeyGeneration(of:)`` before the client had shown who it is.
    public let generation: Int
    /// Nil for a password, and for a key that signs in this very step.
    public let evidence: Evidence?

    public enum Evidence: Hashable, Sendable {
        /// The client came with this session, which has not ended.
        case session(JourneySessionHash)
        /// It signed with this key, which is bound.
        case key(JourneyKeyID)
    }

    public init(user: UserID, generation: Int, evidence: Evidence? = nil) {
        self.user = user
        self.generation = generation
        self.evidence = evidence
    }
}

/// A message that has served and serves for nothing else, for as long as it says that it lives.
public struct JourneyMessageUse: Hashable, Sendable {
    public let message: MessageHash
    public let expiresAt: NumericDate

    public init(message: MessageHash, expiresAt: NumericDate) {
        self.message = message
        self.expiresAt = expiresAt
    }
}

/// A key to be bound.
public struct JourneyBinding: Codable, Hashable, Sendable {
    public let device: JourneyDevice
    /// How many keys the user may have, this one included; nil for any number.
    public let limit: Int?
    /// What the app had signed with it beyond what the protocol demands, as one JSON object; nil for nothing.
    public let claims: String?

    public init(device: JourneyDevice, limit: Int?, claims: String? = nil) {
        self.device = device
        self.limit = limit
        self.claims = claims
    }

    /// Whether `other` could not be bound beside it: it has the same name and user, or is the same key.
    package func isSameKey(as other: JourneyDevice) -> Bool {
        device.user == other.user && device.id == other.id || device.key.thumbprint == other.key.thumbprint
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

/// What became of a ``JourneyStep``. Only ``recorded`` wrote anything, save that ``groundGone`` used up what the request answers and the
/// messages that it brought.
public enum JourneyStepOutcome: Hashable, Sendable {
    case recorded
    /// What the request answers was answered before.
    case used
    /// What the request answers is past its life by the store's clock.
    case expired
    /// The session or the key that the client is known by is there no more, or the user's journeys were stopped. So it stays.
    case groundGone
    /// A message served before.
    case messageUsed
    /// A key is bound already, to another user or under another name.
    case keyTaken
    /// The user has as many keys as a user may have.
    case tooManyDevices
    /// A key that has signed is bound no more.
    case noSuchDevice
}
