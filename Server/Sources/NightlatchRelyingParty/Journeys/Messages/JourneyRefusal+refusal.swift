import NightlatchTokenVerification

extension JourneyRefusal {
    /// The refusal under which the metrics count this reason. The audit log also counts a refusal that may be due to an
    /// attack.
    var counted: Refusal {
        switch self {
        case .wrongCredentials: .credentialsRefused
        case .malformedMessage, .otherKindOfMessage, .keyRefused, .wrongSignature, .wrongIssuer, .wrongSubject,
            .wrongChallenge, .expired, .lifeTooLong, .notYetValid, .tooManyClaims, .messageUsed, .unknownKey,
            .foreignChallenge:
            .messageRefused(.wrongSignature)
        case .authIDRefused: .challengeRefused
        case .answeredBefore: .challengeUsed
        case .sessionExpired: .challengeExpired
        case .groundGone: .accessTokenRefused(.sessionEnded)
        case .keyTaken: .deviceKeyTaken
        case .tooManyDevices: .tooManyDevices
        case .unknownJourney, .noSuspendedJourney: .notFound
        case .emptyAnswer, .foreignOutcome, .noDevice, .noChallenge, .noPendingDevice, .noUser, .endless,
            .stateTooLarge, .noCredentials, .userExists:
            .malformedRequest
        }
    }
}

extension JourneyAnswer {
    /// The refusals of the passed nodes and of the journey itself, even if the journey continued.
    package var refusals: [Refusal] {
        var refusals = passed.compactMap { $0.refusal?.counted }
        if case .refused(let refusal?) = result { refusals.append(refusal.counted) }
        return refusals
    }
}
