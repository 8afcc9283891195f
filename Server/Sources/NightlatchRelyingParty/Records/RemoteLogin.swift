public import NightlatchWire

/// A remote login, as stored: a browser or an app's backend waits until a device of the user has decided it.
public struct RemoteLogin: Hashable, Sendable {
    /// The context class of the sessions that remote logins begin, `acr` in tokens.
    package static let contextClass = "urn:nightlatch:remote-login"
    /// The lifetime of a remote login.
    package static let life: Duration = .seconds(3 * 60)
    /// The time after the expiry in which a browser or backend may still continue with a confirmed login.
    package static let continuationTime: Duration = .seconds(60)
    /// The number of logins that others may request for a user within ``life``.
    package static let requestLimit = 3

    public let id: RemoteLoginID
    public let user: UserID
    public let details: RemoteLoginDetails
    /// The number that the login page shows; nil if the details have none.
    public let number: RemoteLoginNumber?
    /// Whether the user asked for it, by scanning the code of the login page.
    public let isClaimed: Bool
    /// The state at the time of reading, by the store's clock.
    public var state: RemoteLoginState
    /// The device that decided; nil if none did.
    public var device: DeviceID?

    public init(
        id: RemoteLoginID,
        user: UserID,
        details: RemoteLoginDetails,
        number: RemoteLoginNumber?,
        isClaimed: Bool,
        state: RemoteLoginState = .pending,
        device: DeviceID? = nil
    ) {
        self.id = id
        self.user = user
        self.details = details
        self.number = number
        self.isClaimed = isClaimed
        self.state = state
        self.device = device
    }

    /// Returns the state at `now` of a login whose stored state is `stored`.
    package static func state(
        _ stored: RemoteLoginState, until expiresAt: NumericDate, at now: NumericDate
    )
        -> RemoteLoginState
    {
        switch stored {
        case .pending where now > expiresAt: .expired
        case .confirmed where now > expiresAt + continuationTime: .expired
        default: stored
        }
    }

    /// Orders lists: by time of request, then by id.
    package static func areInOrderOfRequest(_ left: Self, _ right: Self) -> Bool {
        (left.details.requestedAt, left.id.rawValue) < (right.details.requestedAt, right.id.rawValue)
    }

    /// Whether it counts as one of the requests of others that a user may have, besides `new`.
    ///
    /// A rejected one counts until it would have expired. Otherwise an attacker could ask again at once. Requests of
    /// login pages and of backends count separately, so that strangers cannot block an app.
    package func countsAsRequest(like new: Self, at now: NumericDate) -> Bool {
        guard !isClaimed, details.hasNumber == new.details.hasNumber, now <= details.expiresAt else { return false }
        switch state {
        case .pending, .rejected, .numberWrong, .contested: return true
        case .confirmed, .completed, .expired: return false
        }
    }
}

extension RemoteLoginState {
    /// Reads the state that a store recorded for a login, as it is at `now`. An expiry is not recorded.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` if a store records no such state.
    package init(
        stored text: String, until expiresAt: NumericDate, at now: NumericDate
    ) throws(RelyingPartyStoreError) {
        guard let stored = Self(rawValue: text), stored != .expired else { throw RelyingPartyStoreError(.corrupt) }
        self = RemoteLogin.state(stored, until: expiresAt, at: now)
    }
}

extension JourneySession {
    /// Whether a journey began it. Routes of journeys accept no other session.
    package var isOfJourney: Bool { journey != RemoteLogin.contextClass }
}

/// The outcome of opening a remote login. Only ``opened(_:)`` and ``contested(_:)`` mean that the store may have
/// written something.
public enum RemoteLoginOpening: Hashable, Sendable {
    /// The login exists, opened by this or an earlier call. It is returned in its current state.
    case opened(RemoteLogin)
    /// Another user's device has claimed the login before, so it logs no user in.
    ///
    /// The login with its new state is returned; it is now `contested`, unless it had ended before.
    case contested(RemoteLogin)
    case userUnknown
    /// The user has as many requests as permitted.
    case tooMany
    /// The login has expired by the store's clock, or would live too long.
    case expired
}

extension RemoteLogin {
    /// Decides on opening this login. Every store applies this rule in its transaction.
    ///
    /// - Parameters:
    ///   - known: The login with this id, if there is one.
    ///   - isUserKnown: Whether the user exists.
    ///   - requestCount: The number of the user's logins for which ``countsAsRequest(like:at:)`` is true.
    ///   - now: The store's clock.
    /// - Returns: The outcome. For `opened` with nothing known, the store inserts the login. For `contested`, it stores
    ///   the returned state.
    package func opening(
        known: RemoteLogin?,
        isUserKnown: Bool,
        requestCount: Int,
        now: NumericDate
    ) -> RemoteLoginOpening {
        if var known {
            if known.user == user { return .opened(known) }
            if known.state == .pending || known.state == .confirmed { known.state = .contested }
            return .contested(known)
        }
        guard now <= details.expiresAt, details.expiresAt <= now + Self.life + ChallengeUse.retention else {
            return .expired
        }
        guard isUserKnown else { return .userUnknown }
        guard isClaimed || requestCount < Self.requestLimit else { return .tooMany }
        return .opened(self)
    }
}

/// A verified decision on a remote login, ready to be recorded.
public struct NewRemoteLoginDecision: Hashable, Sendable {
    public let login: RemoteLoginID
    public let user: UserID
    public let device: DeviceID
    public let decision: TransactionDecision
    /// The hash of the details that the user saw.
    public let detailsHash: RemoteLoginDetailsHash
    /// The number that the user entered; nil if there was none.
    public let number: RemoteLoginNumber?

    public init(
        login: RemoteLoginID,
        user: UserID,
        device: DeviceID,
        decision: TransactionDecision,
        detailsHash: RemoteLoginDetailsHash,
        number: RemoteLoginNumber?
    ) {
        self.login = login
        self.user = user
        self.device = device
        self.decision = decision
        self.detailsHash = detailsHash
        self.number = number
    }
}

/// The outcome of a decision on a remote login. Only ``recorded(_:)`` means that the store may have written something.
public enum RemoteLoginDecisionOutcome: Hashable, Sendable {
    /// The decision is recorded, by this or an earlier request with the same message. The state is the current one.
    case recorded(RemoteLoginState)
    /// The challenge has expired by the store's clock.
    case challengeExpired
    /// Another message has used the challenge.
    case challengeUsed
    case deviceStopped(DeviceStop)
    /// The user has no such device or no such login.
    case noSuchLogin
    /// The signed details differ from the recorded ones.
    case detailsDiffer
    /// The login has ended, in this state; never `pending`.
    case ended(RemoteLoginState)
}

extension NewRemoteLoginDecision {
    /// Decides on recording this decision. Every store applies this rule in its transaction, to the values that it read
    /// there.
    ///
    /// - Parameters:
    ///   - known: The login, or nil if there is none.
    ///   - isDeviceKnown: Whether the user has the device.
    ///   - stop: The reason why the device has no access; nil if it is active.
    ///   - use: The challenge that the decision consumes.
    ///   - used: The message that already used the challenge, if any.
    ///   - now: The store's clock.
    /// - Returns: The outcome, and whether the store must now record the state in it and the device, and consume the
    ///   challenge.
    package func outcome(
        on known: RemoteLogin?,
        isDeviceKnown: Bool,
        stop: DeviceStop?,
        consuming use: ChallengeUse,
        usedBy used: MessageHash?,
        now: NumericDate
    ) -> (RemoteLoginDecisionOutcome, isNew: Bool) {
        guard now <= use.expiresAt else { return (.challengeExpired, false) }
        guard isDeviceKnown, let known, known.user == user else { return (.noSuchLogin, false) }
        if let used { return (used == use.message ? .recorded(known.state) : .challengeUsed, false) }
        if let stop { return (.deviceStopped(stop), false) }
        guard known.state == .pending else { return (.ended(known.state), false) }
        guard known.details.hash == detailsHash else { return (.detailsDiffer, false) }
        switch decision {
        case .reject: return (.recorded(.rejected), true)
        // Two digits need no constant-time comparison: each guess ends the login.
        case .confirm: return (.recorded(known.number == number ? .confirmed : .numberWrong), true)
        }
    }
}

/// The continuation of a confirmed remote login: the session that it begins, and the access of the app.
public struct RemoteLoginCompletion: Hashable, Sendable {
    public let login: RemoteLoginID
    /// The hash of the new session's token.
    public let session: JourneySessionHash
    public let sessionLife: Duration
    public let scopes: [AppScope]
    /// The key that must sign the DPoP proofs of the app's requests; nil for bearer tokens.
    public let possessionKey: KeyID?
    public let access: Access

    /// The form in which the app gets its access.
    public enum Access: Hashable, Sendable {
        /// An authorization code, which the browser brings to the app.
        case code(AuthorizationCodeHash, redirectURI: RedirectURI, challenge: CodeChallenge?, nonce: String?)
        /// A grant, for an app that has asked itself.
        case grant(GrantID, hasRefreshToken: Bool, life: Duration)
        /// Only the session, for a sign-in to this server's own console. No app gets access.
        case console
    }

    public init(
        login: RemoteLoginID, session: JourneySessionHash, sessionLife: Duration, scopes: [AppScope],
        possessionKey: KeyID?, access: Access
    ) {
        self.login = login
        self.session = session
        self.sessionLife = sessionLife
        self.scopes = scopes
        self.possessionKey = possessionKey
        self.access = access
    }
}

/// The outcome of continuing with a remote login. Nothing was written in the last case.
public enum RemoteLoginCompletionOutcome: Hashable, Sendable {
    /// The session and the code are recorded.
    case code
    /// The session and the grant are recorded.
    case grant(AppGrant)
    /// The session is recorded.
    case console
    /// The login is not confirmed or was continued before, its device is stopped, or its app was removed.
    case refused
}

extension RemoteLoginCompletion {
    /// What a store must record to continue with a login.
    package struct Effects: Hashable, Sendable {
        package let session: NewJourneySession
        package let access: Access

        package enum Access: Hashable, Sendable {
            case code(AuthorizationCode, AuthorizationCodeHash)
            case grant(AppGrant)
            case none
        }

        /// The outcome after the effects are recorded.
        package var outcome: RemoteLoginCompletionOutcome {
            switch access {
            case .code: .code
            case .grant(let grant): .grant(grant)
            case .none: .console
            }
        }
    }

    /// Decides on continuing with a login. Every store applies this rule in its transaction.
    ///
    /// - Parameters:
    ///   - known: The login, or nil if there is none.
    ///   - isDeviceActive: Whether the device that confirmed it is registered and not stopped.
    ///   - isAppRegistered: Whether the login's app is registered.
    ///   - now: The store's clock.
    /// - Returns: The effects, which the store records together with the state `completed`; nil to refuse.
    package func effects(
        on known: RemoteLogin?, isDeviceActive: Bool, isAppRegistered: Bool, now: NumericDate
    ) -> Effects? {
        guard let known, known.state == .confirmed, let device = known.device, isDeviceActive else { return nil }
        // A sign-in to the console gives no app access, also to an app that was registered with the console's id.
        let isForConsole = known.details.client == .console
        guard isForConsole == (access == .console), isForConsole || isAppRegistered else { return nil }
        let session = NewJourneySession(
            token: self.session, user: known.user, journey: RemoteLogin.contextClass, key: JourneyKeyID(device),
            life: sessionLife)
        let authorization = AppAuthorization(
            client: known.details.client, scopes: scopes, session: self.session,
            of: JourneySession(
                user: session.user, journey: session.journey, key: session.key, beganAt: now,
                expiresAt: now + sessionLife),
            possessionKey: possessionKey)
        switch access {
        case .code(let hash, let uri, let challenge, let nonce):
            let code = AuthorizationCode(
                authorization: authorization, redirectURI: uri, challenge: challenge, nonce: nonce)
            return Effects(session: session, access: .code(code, hash))
        case .grant(let id, let hasRefreshToken, let life):
            let grant = AppGrant(
                id: id, authorization: authorization, generation: hasRefreshToken ? 1 : 0, rotatedAt: now,
                expiresAt: now + life)
            return Effects(session: session, access: .grant(grant))
        case .console: return Effects(session: session, access: .none)
        }
    }
}

extension Identifier where Rule == JourneyKeyIDRule {
    /// The key of a session that `device` has confirmed. If the device is blocked, revoked or replaced, its sessions
    /// end.
    package init(_ device: DeviceID) {
        guard let id = Self(rawValue: device.rawValue) else {
            preconditionFailure("a device id is 32 hexadecimal digits")
        }
        self = id
    }
}
