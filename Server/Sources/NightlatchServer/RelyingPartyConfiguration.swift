public import NightlatchRelyingParty
public import NightlatchWire

/// The configuration of a relying party: its issuer, its clients, lifetimes, policies and limits.
public struct RelyingPartyConfiguration: Hashable, Sendable {
    /// The URL that identifies the relying party. It is the `iss` of its tokens, the `aud` of messages to it, and the
    /// base URL of its routes as clients see them.
    public let issuer: Issuer
    /// The apps that may use the relying party.
    public var clients: Set<ClientID>
    /// The lifetime of a challenge.
    public var challengeLife: Duration = .seconds(2 * 60)
    /// The lifetime of an enrolment code.
    public var enrolmentCodeLife: Duration = .seconds(10 * 60)
    /// The lifetime of an access token. The relying party's own routes refuse a revoked device at once, whatever the
    /// token's lifetime.
    public var accessTokenLife: Duration = .seconds(5 * 60)
    /// How long a key signs access tokens before another key replaces it; nil if only the operator replaces keys.
    /// Tokens of the old key stay valid until they expire.
    public var signingKeyLife: Duration? = .seconds(90 * 24 * 60 * 60)
    /// The lifetime of a refresh token that is not used.
    public var refreshTokenLife: Duration = .seconds(30 * 24 * 60 * 60)
    /// How passwords are hashed. A password that was hashed with other parameters is hashed again at its next use.
    public var passwordHashing = PasswordHashing.default
    /// The effect of a new binding on the other devices of the user.
    public var devicePolicy = DevicePolicy.many
    /// The maximum number of a user's devices, not counting revoked ones. Applies to `DevicePolicy.many`.
    public var activeDeviceLimit = ActiveDeviceLimit.default
    /// The rounds of guesses at a two-party PIN: the waits between them, and the number of guesses before the client
    /// must prove the PIN again.
    public var guessRounds = GuessRounds.default
    /// The number of guesses of ``guessRounds``. If it is set, they are one round without a wait.
    public var guessLimit: GuessLimit {
        get { guessRounds.limit }
        set { guessRounds = GuessRounds(newValue) }
    }
    /// Whether the relying party accepts a login with a PIN that only the device checked.
    public var localPin = LocalPinPolicy.accepted
    /// The longest time a transaction may wait for a decision.
    public var longestTransactionLife: Duration = .seconds(24 * 60 * 60)
    /// How long a connection may be idle before the server closes it. It is idle while the client sends no request
    /// after the start or the last answer, and while the client does not read the answers.
    public var idleConnectionLife: Duration = .seconds(30)
    /// Where to export the heads of the audit log; nil if the operator exports them by other means.
    public var auditHeadSchedule: AuditHeadSchedule?
    /// The journeys to serve; nil for none.
    public var journeys: JourneyConfiguration?
    /// The authorities, besides the system's, that sign the certificates of webhooks' receivers; nil for none.
    public var webhookAuthorities: WebhookAuthorities?
    /// The limits on requests and connections.
    public var limits = RequestLimits()
    /// The unit of a refused signature's response time. The refusal is delayed to the next multiple of this step, so
    /// that its time reveals little about the cause.
    package var refusalStep: Duration = .milliseconds(10)

    public init(issuer: Issuer, clients: Set<ClientID> = [.default]) {
        self.issuer = issuer
        self.clients = clients
    }
}
