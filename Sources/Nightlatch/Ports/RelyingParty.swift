public import NightlatchWire

/// The relying party as the client sees it. Every verb is one request and one answer.
public protocol RelyingParty: Sendable {
    /// The URL by which it names itself, the audience of everything that is signed for it.
    var issuer: Issuer { get }
    /// The nonce that its last answer brought, for the next DPoP proof; nil if none has brought one yet.
    var newestNonce: DPoPNonce? { get async }

    /// A code that lets the user bind a device, for their password.
    func enrolmentCode(_ credentials: Credentials) async throws(RelyingPartyError) -> EnrolmentCodeGrant
    func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge
    func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult
    func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge
    /// Tokens for a signed login or for a refresh token. `proof` is a DPoP proof by the possession key for `Route.token`.
    func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant
    /// Ends the login that `token` came of. `proof` is a DPoP proof by the possession key for `Route.revokeToken`.
    func revokeToken(_ token: PresentedToken, proof: String) async throws(RelyingPartyError)
    func devices(_ authorization: Authorization) async throws(RelyingPartyError) -> DeviceList
    func rename(
        _ device: DeviceID,
        _ request: RenameDeviceRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DeviceSummary
    func block(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary
    func unblock(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary
    func revoke(_ device: DeviceID, _ authorization: Authorization) async throws(RelyingPartyError) -> DeviceSummary
    /// The transactions that the caller may decide.
    func pendingTransactions(_ authorization: Authorization) async throws(RelyingPartyError) -> TransactionNoticeList
    func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DecisionChallenge
    func finishDecision(_ answer: DecisionAnswer) async throws(RelyingPartyError) -> DecisionResult
}

/// What comes with a request to a protected route ([RFC 9449, section 7](https://www.rfc-editor.org/rfc/rfc9449#section-7)).
public struct Authorization: Hashable, Sendable {
    public let accessToken: AccessToken
    /// A DPoP proof for this one request.
    public let proof: String

    public init(accessToken: AccessToken, proof: String) {
        self.accessToken = accessToken
        self.proof = proof
    }

    /// The headers of the request.
    public var headers: [String: String] {
        ["Authorization": "DPoP \(accessToken.rawValue)", "DPoP": proof]
    }
}

/// Why a request to the relying party brought nothing.
public enum RelyingPartyError: Error, Hashable, Sendable {
    /// There was no answer. It is not known whether the request was carried out: ask the same again.
    case unreachable(reason: String)
    /// The relying party did not do what was asked, and says why. ``RelyingPartyRefusal/isDecision`` tells whether that is sure.
    case refused(RelyingPartyRefusal)
    /// There was an answer, but none that the protocol knows: not this relying party, or something in between.
    case unintelligible(status: Int)
    /// The caller's task was cancelled. As with ``unreachable(reason:)`` the request may have been carried out.
    case cancelled
}

/// The relying party's refusal.
public struct RelyingPartyRefusal: Hashable, Sendable {
    public let code: ProblemCode
    /// The HTTP status.
    public let status: Int
    /// One sentence for people.
    public let title: String
    /// What is wrong with this request, for the developer: which member breaks which rule. Nil where there is nothing to say.
    public let detail: String?
    /// Whether the relying party has decided: it understood the request, and the request had no effect. A server that failed
    /// (status 5xx) has decided nothing: the request may have been carried out, so ask the same again. Nor has one that has not
    /// looked at the request, because too many came (``retryAfter``).
    public var isDecision: Bool { (400..<500).contains(status) && status != 429 }
    /// How long to wait before the same is asked again, if the relying party said so: with `ProblemCode.rateLimited` it does.
    public let retryAfter: Duration?
    /// How the device stands with its two-party PIN, where a request about it was refused because it stands otherwise.
    public let pin: PinStanding?
    /// The relying party's clock, where a message was refused because it is not alive by it.
    public let issuedAt: NumericDate?

    public init(
        code: ProblemCode,
        status: Int,
        title: String,
        detail: String? = nil,
        retryAfter: Duration? = nil,
        pin: PinStanding? = nil,
        issuedAt: NumericDate? = nil
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.retryAfter = retryAfter
        self.pin = pin
        self.issuedAt = issuedAt
    }
}
