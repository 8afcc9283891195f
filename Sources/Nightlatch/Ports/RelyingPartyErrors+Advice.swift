public import NightlatchWire

extension RelyingPartyError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .unreachable: ErrorGuidance(.unreachable, .checkNetwork)
        case .refused(let refusal): refusal.guidance
        // A network with its own login page answers instead of the service.
        case .unintelligible: ErrorGuidance(.notTheService, .checkNetwork)
        case .cancelled: .cancelled
        }
    }
}

extension RelyingPartyRefusal {
    /// The guidance for the refusal's code; see `docs/errors.md`.
    public var guidance: ErrorGuidance {
        if code == .pinWaiting {
            let wait = pin?.wait?.duration ?? retryAfter
            return ErrorGuidance(.pinWaiting(wait), .tryLater(after: wait))
        }
        if code == .rateLimited || code == .unavailable || status == 429 || status == 503 {
            return ErrorGuidance(.serviceBusy, .tryLater(after: retryAfter))
        }
        return code.guidance
            ?? (isDecision
                ? .defect(code.rawValue, .refused) : ErrorGuidance(.serviceFailed, .tryLater(after: retryAfter)))
    }
}

extension ProblemCode {
    /// The guidance for the code, or nil if this version does not know it.
    fileprivate var guidance: ErrorGuidance? { Self.ofPerson[self] ?? Self.ofDevice[self] ?? Self.ofRequest[self] }

    private static let ofPerson: [ProblemCode: ErrorGuidance] = [
        .enrolmentCodeRefused: ErrorGuidance(.codeRefused, .bindAgain),
        .enrolmentCodeRequired: ErrorGuidance(.codeNeeded, .signIn),
        .pinCandidateOpen: ErrorGuidance(.codeNeeded, .signIn),
        .credentialsRefused: ErrorGuidance(.credentialsRefused, .signIn),
        .pinDestroyed: ErrorGuidance(.pinBlocked, .signIn),
        .accessTokenRefused: ErrorGuidance(.loginEnded, .askForPin),
        .refreshTokenRefused: ErrorGuidance(.loginEnded, .askForPin),
        .localPinRefused: ErrorGuidance(.pinTriedHereOnly, .checkNetwork),
        .transactionChanged: ErrorGuidance(.transactionChanged, .tryAgain),
        .transactionConfirmed: ErrorGuidance(.transactionConfirmed, .nothing),
        .transactionRejected: ErrorGuidance(.transactionRejected, .nothing),
        .transactionExpired: ErrorGuidance(.transactionExpired, .nothing),
        .transactionVoided: ErrorGuidance(.transactionVoided, .nothing),
        .remoteLoginChanged: ErrorGuidance(.remoteLoginChanged, .tryAgain),
        .remoteLoginEnded: ErrorGuidance(.remoteLoginEnded, .nothing),
    ]

    private static let ofDevice: [ProblemCode: ErrorGuidance] = [
        .messageRefused: ErrorGuidance(.deviceUnknown, .bindAgain),
        .deviceKeyTaken: ErrorGuidance(.keyLost, .bindAgain),
        .deviceRevoked: ErrorGuidance(.deviceRevoked, .bindAgain),
        .deviceReplaced: ErrorGuidance(.deviceRevoked, .bindAgain),
        .deviceBlocked: ErrorGuidance(.deviceBlocked, .tryLater(after: nil)),
        .blockedByOperator: ErrorGuidance(.deviceBlocked, .tryLater(after: nil)),
        .tooManyDevices: ErrorGuidance(.tooManyDevices, .tryAgain),
        .pinEpochPassed: ErrorGuidance(.outdated, .bindAgain),
    ]

    /// The client creates a new message with the next call.
    private static let ofRequest: [ProblemCode: ErrorGuidance] = [
        .challengeRefused: ErrorGuidance(.refused, .tryAgain),
        .challengeUsed: ErrorGuidance(.refused, .tryAgain),
        .challengeExpired: ErrorGuidance(.tookTooLong, .tryAgain),
        .messageExpired: ErrorGuidance(.tookTooLong, .tryAgain),
        .dpopProofRefused: ErrorGuidance(.refused, .tryAgain),
        .dpopNonceRequired: ErrorGuidance(.tookTooLong, .tryAgain),
        .pinWindowPassed: ErrorGuidance(.changedMeanwhile, .tryAgain),
        .pinGuessUnknown: ErrorGuidance(.changedMeanwhile, .tryAgain),
        .internalError: ErrorGuidance(.serviceFailed, .defect(code: ProblemCode.internalError.rawValue)),
    ]
}

extension Problem: AdvisedError {
    public var guidance: ErrorGuidance { RelyingPartyRefusal(code: code, status: status, title: title).guidance }
}

extension OAuthError: AdvisedError {
    public var guidance: ErrorGuidance { RelyingPartyRefusal(code: code, status: 400, title: "").guidance }
}

extension JWSError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .tooLarge: .defect("jws-too-large")
        case .malformed: .defect("jws-malformed")
        case .criticalExtension: .defect("jws-critical-extension")
        case .invalidHeader(let error): .caused(by: error, .defect("jws-header"))
        case .wrongType: .defect("jws-type")
        case .invalidClaims(let error): .caused(by: error, .defect("jws-claims"))
        }
    }
}

extension StrictJSONError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .tooLarge: .defect("json-too-large")
        case .tooDeep: .defect("json-too-deep")
        case .duplicateMember: .defect("json-duplicate-member")
        case .malformed: .defect("json-malformed")
        case .unexpectedShape: .defect("json-unexpected-shape")
        }
    }
}

extension TransactionDetailsError: AdvisedError {
    public var guidance: ErrorGuidance {
        switch self {
        case .tooManyLines: .defect("transaction-too-many-lines")
        case .tooLarge: .defect("transaction-too-large")
        case .expiryOutOfRange: .defect("transaction-expiry")
        }
    }
}

extension MessageFault: AdvisedError {
    public var guidance: ErrorGuidance { error.guidance }
}
