import NightlatchTokenVerification

extension JourneyRefusal {
    /// The refusal that it counts as in the metrics and, if it may be an attack, in the audit log.
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
            .stateTooLarge:
            .malformedRequest
        }
    }
}

extension JourneyAnswer {
    /// The refusals on the way and at the end, whether or not the journey continued.
    package var refusals: [Refusal] {
        var refusals = passed.compactMap { $0.refusal?.counted }
        if case .refused(let refusal?) = result { refusals.append(refusal.counted) }
        return refusals
    }
}
