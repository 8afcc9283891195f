public import NightlatchWire

/// The relying party, as the client sees it. Every method is one request and one answer.
public protocol RelyingParty: Sendable {
    /// The URL that identifies the relying party, and the audience of every message signed for it.
    var issuer: Issuer { get }
    /// The nonce from the relying party's latest answer, for the next DPoP proof; nil if no answer had one yet.
    var newestNonce: DPoPNonce? { get async }

    /// Returns an enrolment code for the user's name and password.
    func enrolmentCode(_ credentials: Credentials) async throws(RelyingPartyError) -> EnrolmentCodeGrant
    func beginBinding(_ request: BindingRequest) async throws(RelyingPartyError) -> BindingChallenge
    func finishBinding(_ answer: BindingAnswer) async throws(RelyingPartyError) -> BindingResult
    func beginLogin(_ request: LoginRequest) async throws(RelyingPartyError) -> LoginChallenge
    /// Returns tokens for a signed login or for a refresh token. `proof` is a DPoP proof by the possession key for
    /// `Route.token`.
    func tokens(_ request: TokenRequest, proof: String) async throws(RelyingPartyError) -> TokenGrant
    /// Ends the login that `token` was issued for. `proof` is a DPoP proof by the possession key for
    /// `Route.revokeToken`.
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
    /// Returns the transactions that the device of `authorization` may decide.
    func pendingTransactions(_ authorization: Authorization) async throws(RelyingPartyError) -> TransactionNoticeList
    func beginDecision(
        _ request: DecisionRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> DecisionChallenge
    func finishDecision(_ answer: DecisionAnswer) async throws(RelyingPartyError) -> DecisionResult
    /// Returns the remote logins that the user of `authorization` may decide.
    func remoteLogins(_ authorization: Authorization) async throws(RelyingPartyError) -> RemoteLoginNoticeList
    /// Returns the remote login of the login page whose code the user scanned.
    func claimRemoteLogin(
        _ claim: RemoteLoginClaim,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginNotice
    func beginRemoteLogin(
        _ request: RemoteLoginRequest,
        _ authorization: Authorization
    ) async throws(RelyingPartyError) -> RemoteLoginChallenge
    func finishRemoteLogin(_ answer: RemoteLoginAnswer) async throws(RelyingPartyError) -> RemoteLoginResult
}

/// The credentials of a request to a protected route
/// ([RFC 9449, section 7](https://www.rfc-editor.org/rfc/rfc9449#section-7)).
public struct Authorization: Hashable, Sendable {
    public let accessToken: AccessToken
    /// A DPoP proof for this request only.
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

/// An error that occurs while sending a request to the relying party.
public enum RelyingPartyError: Error, Hashable, Sendable {
    /// There was no answer. The request may have been carried out: send the same request again.
    case unreachable(reason: String)
    /// The relying party refused the request. ``RelyingPartyRefusal/isDecision`` says whether that is certain.
    case refused(RelyingPartyRefusal)
    /// The answer does not follow the protocol: another server or a proxy sent it.
    case unintelligible(status: Int)
    /// The caller's task was cancelled. As with ``unreachable(reason:)``, the request may have been carried out.
    case cancelled
}

/// A refusal by the relying party.
public struct RelyingPartyRefusal: Hashable, Sendable {
    public let code: ProblemCode
    /// The HTTP status.
    public let status: Int
    /// A human-readable sentence about the refusal.
    public let title: String
    /// The fault in the request, for the developer, such as the member that breaks a rule. Nil if there is none.
    public let detail: String?
    /// Whether the relying party has decided: it understood the request, and the request had no effect.
    ///
    /// False for an error of the server (status 5xx): the request may have been carried out, so send it again. Also
    /// false if the server did not look at the request because there were too many (status 429): see ``retryAfter``.
    public var isDecision: Bool { (400..<500).contains(status) && status != 429 }
    /// The time to wait before the same request is sent again, if the relying party gave a time. It always gives one
    /// with `ProblemCode.rateLimited`.
    public let retryAfter: Duration?
    /// The state of the device's two-party PIN, if it is the reason why a request was refused.
    public let pin: PinStanding?
    /// The time by the relying party's clock, if it refused a message that is not valid at this time.
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
