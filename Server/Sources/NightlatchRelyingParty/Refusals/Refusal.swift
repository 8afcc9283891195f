package import NightlatchTokenVerification
package import NightlatchWire

/// The reason why a request had no effect. Details beyond its ``code`` are for logs.
package enum Refusal: Error, Hashable, Sendable {
    /// The request has the wrong form.
    ///
    /// `detail` describes the problem where it is known, and contains no text from the client.
    case malformed(detail: String?)
    case notFound
    case backendKeyRefused
    /// No registered app has the id of the request.
    case appUnknown
    /// The app's credentials are missing or wrong, or are not of the registered method.
    case appAuthenticationRefused
    /// The app has not registered the redirect URI of the request.
    case redirectURIRefused
    /// An authorization request was refused for an app that calls the server itself.
    case authorizationRefused(OAuthError.Word, String)
    /// The access token is valid, but not for this.
    case scopeInsufficient
    /// The authorization code is unknown, expired, used, or not for this request.
    case codeRefused
    case enrolmentCodeRefused
    case credentialsRefused
    case challengeRefused
    case challengeExpired
    case challengeUsed
    case messageRefused(MessageRefusal)
    case deviceKeyTaken
    case tooManyDevices
    case deviceRevoked
    case deviceReplaced
    case deviceBlocked
    case blockedByOperator
    case accessTokenRefused(AccessTokenRefusal)
    case refreshTokenRefused
    case dpopProofRefused(DPoPRefusal)
    /// Only the nonce of the proof is missing or wrong.
    case dpopNonceRequired(DPoPRefusal)
    /// There were too many requests from one address or for one account.
    case rateLimited(retryAfter: Duration)
    /// Too many requests are in progress.
    case overloaded
    case transactionIDTaken
    case addresseeUnknown
    case tooManyTransactions
    case expiryRefused
    /// The id is not new, or the app was changed or removed since it was read.
    case appChanged
    case tooManyApps
    /// The API key of the request does not have the scope of the route, or a scope that it wants to give.
    case apiKeyScopeMissing
    /// An API key that is not revoked has this name.
    case apiKeyNameTaken
    case tooManyAPIKeys
    /// The device was revoked or replaced before, which cannot be undone. For operators, not for the device.
    case deviceEnded
    /// Another revision of the policy is stored than the request replaces.
    case policyChanged
    case transactionChanged
    case transactionConfirmed
    case transactionRejected
    case transactionExpired
    case transactionVoided
    case remoteLoginChanged
    case remoteLoginEnded
    /// The message has expired or is not yet valid at this time. The refusal tells an attacker with an old message
    /// nothing else.
    case messageExpired(at: NumericDate)
    case blindedElementRefused
    case enrolmentCodeRequired
    case pinNotEnrolled
    case pinDestroyed
    /// The round of guesses has ended. The standing has the rest of the wait.
    case pinWaiting(PinStanding)
    /// Refusals with a standing, such as this one, are only for clients that have just signed with a key of the device.
    case pinEpochPassed(PinStanding)
    case pinWindowPassed(PinStanding)
    case pinGuessUnknown
    case pinCandidateOpen(PinStanding)
    case localPinRefused
    case store(RelyingPartyStoreError)
    /// A defect of this program.
    case internalError

    /// A request that does not have the form of its route, without details.
    package static let malformedRequest = Self.malformed(detail: nil)

    /// The refusal of a request whose proof was refused.
    init(_ refusal: DPoPRefusal) {
        switch refusal {
        case .nonceMissing, .nonceRefused: self = .dpopNonceRequired(refusal)
        default: self = .dpopProofRefused(refusal)
        }
    }

    /// The refusal for a client that has proved possession of the device's key.
    init(_ stop: DeviceStop) {
        switch stop {
        case .blocked: self = .deviceBlocked
        case .revoked: self = .deviceRevoked
        case .replaced: self = .deviceReplaced
        }
    }

    /// The problem code in the response.
    package var code: ProblemCode {
        switch self {
        case .malformed: .malformedRequest
        case .notFound: .notFound
        case .backendKeyRefused: .backendKeyRefused
        case .appUnknown: .appUnknown
        case .appAuthenticationRefused: .appAuthenticationRefused
        case .redirectURIRefused: .redirectURIRefused
        case .authorizationRefused: .malformedRequest
        case .codeRefused: .codeRefused
        case .scopeInsufficient: .scopeInsufficient
        case .enrolmentCodeRefused: .enrolmentCodeRefused
        case .credentialsRefused: .credentialsRefused
        case .challengeRefused: .challengeRefused
        case .challengeExpired: .challengeExpired
        case .challengeUsed: .challengeUsed
        case .messageRefused: .messageRefused
        case .deviceKeyTaken: .deviceKeyTaken
        case .tooManyDevices: .tooManyDevices
        case .deviceRevoked: .deviceRevoked
        case .deviceReplaced: .deviceReplaced
        case .deviceBlocked: .deviceBlocked
        case .blockedByOperator: .blockedByOperator
        case .accessTokenRefused: .accessTokenRefused
        case .refreshTokenRefused: .refreshTokenRefused
        case .dpopProofRefused: .dpopProofRefused
        case .dpopNonceRequired: .dpopNonceRequired
        case .rateLimited: .rateLimited
        case .overloaded: .unavailable
        case .transactionIDTaken: .transactionIDTaken
        case .addresseeUnknown: .addresseeUnknown
        case .tooManyTransactions: .tooManyTransactions
        case .expiryRefused: .expiryRefused
        case .appChanged: .appChanged
        case .tooManyApps: .tooManyApps
        case .apiKeyScopeMissing: .apiKeyScopeMissing
        case .apiKeyNameTaken: .apiKeyNameTaken
        case .tooManyAPIKeys: .tooManyAPIKeys
        case .deviceEnded: .deviceEnded
        case .policyChanged: .policyChanged
        case .transactionChanged: .transactionChanged
        case .transactionConfirmed: .transactionConfirmed
        case .transactionRejected: .transactionRejected
        case .transactionExpired: .transactionExpired
        case .transactionVoided: .transactionVoided
        case .remoteLoginChanged: .remoteLoginChanged
        case .remoteLoginEnded: .remoteLoginEnded
        case .messageExpired: .messageExpired
        case .blindedElementRefused: .blindedElementRefused
        case .enrolmentCodeRequired: .enrolmentCodeRequired
        case .pinNotEnrolled: .pinNotEnrolled
        case .pinDestroyed: .pinDestroyed
        case .pinWaiting: .pinWaiting
        case .pinEpochPassed: .pinEpochPassed
        case .pinWindowPassed: .pinWindowPassed
        case .pinGuessUnknown: .pinGuessUnknown
        case .pinCandidateOpen: .pinCandidateOpen
        case .localPinRefused: .localPinRefused
        case .store(let error): error.kind.mayPass ? .unavailable : .internalError
        case .internalError: .internalError
        }
    }

    /// The detailed reason, for logs. It contains no text from the client.
    package var reason: String? {
        switch self {
        case .messageRefused(let refusal): Self.caseName(of: refusal)
        case .accessTokenRefused(let refusal): Self.caseName(of: refusal)
        case .dpopProofRefused(let refusal), .dpopNonceRequired(let refusal): Self.caseName(of: refusal)
        case .overloaded: "overloaded"
        case .store(let error): error.description
        default: nil
        }
    }

    /// The description of the problem in the response, if any.
    package var detail: String? {
        switch self {
        case .malformed(let detail): detail
        case .authorizationRefused(_, let description): description
        default: nil
        }
    }

    /// The device's standing in the response, if any.
    package var pinStanding: PinStanding? {
        switch self {
        case .pinWaiting(let standing), .pinEpochPassed(let standing), .pinWindowPassed(let standing),
            .pinCandidateOpen(let standing):
            standing
        default: nil
        }
    }

    /// The server's time in the response, if a message was refused because of its time.
    package var issuedAt: NumericDate? {
        if case .messageExpired(let now) = self { now } else { nil }
    }

    /// The name of an enum case without its associated values, which may come from the message.
    private static func caseName(of refusal: some Error) -> String {
        String(describing: refusal).prefix { $0 != "(" }.description
    }
}
