public import NightlatchWire

/// The effects of one request to a journey, ready to be recorded.
public struct JourneyStep: Hashable, Sendable {
    /// The question that the request answers; nil for a request that begins a journey.
    public let use: JourneyStepUse?
    /// The evidence that identifies the client's user, which must still hold; nil if the user is not known.
    public let ground: JourneyGround?
    /// The user that the step creates, if any.
    public var creation: NewJourneyUser?
    /// The messages that were verified in this step, whether accepted or not.
    public let messages: [JourneyMessageUse]
    public let bindings: [JourneyBinding]
    public let signings: [JourneySigning]
    /// The session that the journey ends with, if any.
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
    /// The users whose rows a store locks first. The order is fixed, so that two steps cannot deadlock.
    package var users: [UserID] {
        let users = [ground?.user, session?.user] + bindings.map(\.device.user)
        return Set(users.compactMap(\.self)).sorted { $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8) }
    }

    /// Whether two bindings of the step are for the same key, or for the same name and user.
    package var bindsTwice: Bool {
        bindings.enumerated().contains { index, binding in
            bindings[..<index].contains { $0.isSameKey(as: binding.device) }
        }
    }

    /// The client's own session. It stays valid even if this step replaces the key that signed in the session's
    /// journey.
    package var keptSession: JourneySessionHash? {
        if case .session(let token) = ground?.evidence { token } else { nil }
    }
}

/// The right to answer a journey's question; recording a step consumes it. It always comes from an opened `authId`.
public struct JourneyStepUse: Hashable, Sendable {
    public let oneTimeKey: Challenge
    public let expiresAt: NumericDate

    public init(oneTimeKey: Challenge, expiresAt: NumericDate) {
        self.oneTimeKey = oneTimeKey
        self.expiresAt = expiresAt
    }
}

/// A user that a journey creates, with their password. The step is not recorded if the user exists.
public struct NewJourneyUser: Hashable, Sendable {
    public let user: UserID
    public let password: StoredPassword
    /// The profile that the journey has collected; nil for none.
    public let profile: UserProfile?
    /// The user's first ``JourneyStore/journeyGeneration(of:)``. It is random, and the journey continues with it.
    public let generation: Int

    public init(user: UserID, password: StoredPassword, profile: UserProfile? = nil) {
        generation = UserRecord.newJourneyGeneration()
        self.user = user
        self.password = password
        self.profile = profile
    }
}

/// The reason why the server treats a client as `user`.
///
/// The reason is valid until the user's journeys are stopped or the evidence is removed.
public struct JourneyGround: Hashable, Sendable {
    public let user: UserID
    /// ``JourneyStore/journeyGeneration(of:)``, read before the client proved its identity.
    public let generation: Int
    /// Nil for a password, and for a key that signs in the same step.
    public let evidence: Evidence?

    public enum Evidence: Hashable, Sendable {
        /// The client presented this session, which must not have ended.
        case session(JourneySessionHash)
        /// The client signed with this key, which must still be bound.
        case key(JourneyKeyID)
    }

    public init(user: UserID, generation: Int, evidence: Evidence? = nil) {
        self.user = user
        self.generation = generation
        self.evidence = evidence
    }
}

/// A message that was used. It cannot be used again before its expiry.
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
    /// The largest number of keys the user may have, including this one; nil for no limit.
    public let limit: Int?
    /// The signed claims that the protocol does not require, as one JSON object; nil for none.
    public let claims: String?

    public init(device: JourneyDevice, limit: Int?, claims: String? = nil) {
        self.device = device
        self.limit = limit
        self.claims = claims
    }

    /// Whether `other` conflicts with this binding: it has the same name and user, or is the same key.
    package func isSameKey(as other: JourneyDevice) -> Bool {
        device.user == other.user && device.id == other.id || device.key.thumbprint == other.key.thumbprint
    }
}

/// A verified signature by a bound key.
public struct JourneySigning: Hashable, Sendable {
    public let key: JourneyKeyID
    public let user: UserID
    /// The signed claims that the protocol does not require, as one JSON object; nil for none.
    public let claims: String?

    public init(key: JourneyKeyID, user: UserID, claims: String?) {
        self.key = key
        self.user = user
        self.claims = claims
    }
}

/// The outcome of a ``JourneyStep``.
///
/// Two outcomes mean that the store wrote something: ``recorded``, and ``groundGone``, which only consumes the question
/// and the messages.
public enum JourneyStepOutcome: Hashable, Sendable {
    case recorded
    /// The question was answered before.
    case used
    /// The question has expired by the store's clock.
    case expired
    /// The session or key that identifies the client no longer exists, or the user's journeys were stopped.
    ///
    /// This is permanent for the journey.
    case groundGone
    /// A message was used before.
    case messageUsed
    /// A key is already bound, to another user or under another name.
    case keyTaken
    /// The user has as many keys as permitted.
    case tooManyDevices
    /// A key that signed is no longer bound.
    case noSuchDevice
    /// The user that the step would create exists.
    case userExists
}
