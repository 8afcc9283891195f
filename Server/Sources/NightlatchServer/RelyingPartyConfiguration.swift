public import NightlatchRelyingParty
public import NightlatchWire

/// What a relying party is called, whom it knows and how long things live.
public struct RelyingPartyConfiguration: Hashable, Sendable {
    /// Its name: `iss` of its tokens, `aud` of messages to it, and the root of its routes' addresses as clients see them.
    public let issuer: Issuer
    /// The apps that may speak to it.
    public var clients: Set<ClientID>
    /// How long a challenge may wait for its answer.
    public var challengeLife: Duration = .seconds(2 * 60)
    /// How long an enrolment code may wait for its device.
    public var enrolmentCodeLife: Duration = .seconds(10 * 60)
    /// How long an access token is good. A revoked device is refused at once by this relying party's own routes all the same.
    public var accessTokenLife: Duration = .seconds(5 * 60)
    /// How long a key signs access tokens before another takes its place; nil for as long as nobody asks for another. No token that
    /// lives is refused because of it.
    public var signingKeyLife: Duration? = .seconds(90 * 24 * 60 * 60)
    /// How long a refresh token lives unused.
    public var refreshTokenLife: Duration = .seconds(30 * 24 * 60 * 60)
    /// What a user's password is hashed with. One that was hashed with less is hashed anew when it is next shown.
    public var passwordHashing = PasswordHashing.default
    /// What becomes of the devices that a user has when another one is bound.
    public var devicePolicy = DevicePolicy.many
    /// How many devices that are not revoked a user may have, where the policy is many.
    public var activeDeviceLimit = ActiveDeviceLimit.default
    /// How many guesses at a two-party PIN there are until it is proved again.
    public var guessLimit = GuessLimit.default
    /// Whether a login may rest on a PIN that was tried on the device alone.
    public var localPin = LocalPinPolicy.accepted
    /// How long a transaction may wait for a decision.
    public var longestTransactionLife: Duration = .seconds(24 * 60 * 60)
    /// How long a connection may bring no request after it has begun or was answered, or not take its answers. Then it is closed.
    public var idleConnectionLife: Duration = .seconds(30)
    /// Where heads of the audit log are exported to; nil if the operator does so by other means.
    public var auditHeadSchedule: AuditHeadSchedule?
    /// The journeys that it serves; nil for none.
    public var journeys: JourneyConfiguration?
    /// How much it takes on.
    public var limits = RequestLimits()
    /// A refused signature is answered a whole number of these after the request was looked at.
    package var refusalStep: Duration = .milliseconds(10)

    public init(issuer: Issuer, clients: Set<ClientID> = [.default]) {
        self.issuer = issuer
        self.clients = clients
    }
}
