public import NightlatchWire

/// The tokens of one authorization, as stored.
///
/// Refresh tokens are numbered. The relying party computes each from the grant's id and its number under a key, so the
/// store contains no token, and presenting one token twice gives the same successor.
public struct AppGrant: Hashable, Sendable {
    /// The time for which a replaced refresh token still gives its successor.
    public static let repetitionTime: Duration = .seconds(60)

    public let id: GrantID
    public let authorization: AppAuthorization
    /// The number of the newest refresh token; 0 if the app gets none.
    public private(set) var generation: Int
    /// The time at which the newest refresh token was first issued.
    public private(set) var rotatedAt: NumericDate
    public private(set) var expiresAt: NumericDate

    public init(
        id: GrantID, authorization: AppAuthorization, generation: Int, rotatedAt: NumericDate, expiresAt: NumericDate
    ) {
        self.id = id
        self.authorization = authorization
        self.generation = generation
        self.rotatedAt = rotatedAt
        self.expiresAt = expiresAt
    }

    /// Whether the refresh token of this number is accepted: the newest one, and its predecessor for
    /// ``repetitionTime``.
    func accepts(_ number: Int, at now: NumericDate) -> Bool {
        guard number > 0 else { return false }
        return number == generation || number == generation - 1 && now <= rotatedAt + Self.repetitionTime
    }

    /// Replaces the presented refresh token by its successor, if it is accepted.
    ///
    /// The predecessor of the newest token gives the newest token for a minute: the response may have been lost, or two
    /// callers of the app may have refreshed at once. After that it is reuse, as an older token is
    /// ([RFC 9700, section 4.14.2](https://www.rfc-editor.org/rfc/rfc9700#section-4.14.2)). Without this limit a thief
    /// who follows each refresh of the app would never be noticed.
    ///
    /// The key of a grant never changes: a grant of bearer tokens is refused with a proof. So an app whose record
    /// demands DPoP later gets no bearer tokens from an older grant.
    ///
    /// Every store applies this rule in its transaction. It writes the change for `refreshed` and deletes the grant for
    /// `reused`.
    package mutating func refresh(_ refresh: GrantRefresh, at now: NumericDate) -> GrantRefreshOutcome {
        guard now <= expiresAt, authorization.client == refresh.client,
            authorization.possessionKey == refresh.possessionKey, generation > 0,
            (1...generation).contains(refresh.generation)
        else { return .refused }
        guard accepts(refresh.generation, at: now) else { return .reused }
        if refresh.generation == generation {
            generation += 1
            rotatedAt = now
        }
        expiresAt = now + refresh.life
        return .refreshed(self)
    }
}

/// A presented refresh token of a grant.
public struct GrantRefresh: Hashable, Sendable {
    public let grant: GrantID
    public let generation: Int
    /// The app, authenticated by its method.
    public let client: ClientID
    /// The key that signed the DPoP proof of the request; nil if there was none.
    public let possessionKey: KeyID?
    /// The lifetime of the unused successor.
    public let life: Duration

    public init(grant: GrantID, generation: Int, client: ClientID, possessionKey: KeyID?, life: Duration) {
        self.grant = grant
        self.generation = generation
        self.client = client
        self.possessionKey = possessionKey
        self.life = life
    }
}

/// The outcome of presenting a refresh token of a grant.
public enum GrantRefreshOutcome: Hashable, Sendable {
    /// The token ``AppGrant/generation`` is the newest one.
    case refreshed(AppGrant)
    /// The grant is unknown, expired or ended, or is another app's or another key's. Nothing changed.
    case refused
    /// A token that had been replaced for good was presented again: an attacker may have a copy. The grant was revoked.
    case reused
}
