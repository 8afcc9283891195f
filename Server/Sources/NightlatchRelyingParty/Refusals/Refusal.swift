package import NightlatchTokenVerification
package import NightlatchWire

/// Why a request was refused: every way in which one can end without an effect. What it tells beyond its ``code`` is for
/// logs.
package enum Refusal: Error, Hashable, Sendable {
    /// What is wrong with it is told where it is known: `detail` holds no value that the sender wrote.
    case malformed(detail: String?)
    case notFound
    case backendKeyRefused
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
    /// The proof is good but for its nonce.
    case dpopNonceRequired(DPoPRefusal)
    /// Somebody asked too often, from one address or about one account.
    case rateLimited(retryAfter: Duration)
    /// More is under way than is answered at once.
    case overloaded
    case transactionIDTaken
    case addresseeUnknown
    case tooManyTransactions
    case expiryRefused
    case transactionChanged
    case transactionConfirmed
    case transactionRejected
    case transactionExpired
    case transactionVoided
    /// The message is not alive by the clock that says this time: whoever has kept an old one learns nothing else.
    case messageExpired(at: NumericDate)
    case blindedElementRefused
    case enrolmentCodeRequired
    case pinNotEnrolled
    case pinDestroyed
    /// This and the others that have a standing are told to who has signed with a key of the device just now.
    case pinEpochPassed(PinStanding)
    case pinWindowPassed(PinStanding)
    case pinGuessUnknown
    case pinCandidateOpen(PinStanding)
    case localPinRefused
    case store(StoreError)
    /// A defect of this program.
    case internalError

    /// A request that is not of its route's form, where nothing more is known of it.
    package static let malformedRequest = Self.malformed(detail: nil)

    /// What a proof that was refused means for its request.
    init(_ refusal: DPoPRefusal) {
        switch refusal {
        case .nonceMissing, .nonceRefused: self = .dpopNonceRequired(refusal)
        default: self = .dpopProofRefused(refusal)
        }
    }

    /// What `bar` means for whoever has shown the device's key.
    init(_ bar: DeviceBar) {
        switch bar {
        case .blocked: self = .deviceBlocked
        case .revoked: self = .deviceRevoked
        case .replaced: self = .deviceReplaced
        }
    }

    /// The word for it on the wire.
    package var code: ProblemCode {
        switch self {
        case .malformed: .malformedRequest
        case .notFound: .notFound
        case .backendKeyRefused: .backendKeyRefused
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
        case .transactionChanged: .transactionChanged
        case .transactionConfirmed: .transactionConfirmed
        case .transactionRejected: .transactionRejected
        case .transactionExpired: .transactionExpired
        case .transactionVoided: .transactionVoided
        case .messageExpired: .messageExpired
        case .blindedElementRefused: .blindedElementRefused
        case .enrolmentCodeRequired: .enrolmentCodeRequired
        case .pinNotEnrolled: .pinNotEnrolled
        case .pinDestroyed: .pinDestroyed
        case .pinEpochPassed: .pinEpochPassed
        case .pinWindowPassed: .pinWindowPassed
        case .pinGuessUnknown: .pinGuessUnknown
        case .pinCandidateOpen: .pinCandidateOpen
        case .localPinRefused: .localPinRefused
        case .store(let error): error.kind.mayPass ? .unavailable : .internalError
        case .internalError: .internalError
        }
    }

    /// What stands behind the code, for logs. It holds nothing that the sender wrote.
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

    /// What is wrong with the request, if it is told.
    package var detail: String? {
        if case .malformed(let detail) = self { detail } else { nil }
    }

    /// How the device stands, if it is told.
    package var pinStanding: PinStanding? {
        switch self {
        case .pinEpochPassed(let standing), .pinWindowPassed(let standing), .pinCandidateOpen(let standing): standing
        default: nil
        }
    }

    /// What time it is, if a message was refused for its time.
    package var issuedAt: NumericDate? {
        if case .messageExpired(let now) = self { now } else { nil }
    }

    /// The bare name of an enum's case: what it carries may come from the message.
    private static func caseName(of refusal: some Error) -> String {
        String(describing: refusal).prefix { $0 != "(" }.description
    }
}
