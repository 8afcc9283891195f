import NightlatchTokenVerification

extension JourneyRefusal {
    /// As what it is counted: in the audit log, if somebody may have tried what was not theirs to do, and in the metrics.
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
    /// What was refused on the way and at its end, whether or not the journey went on.
    package var refusals: [Refusal] {
        var refusals = passed.compactMap { $0.refusal?.counted }
        if case .refused(let refusal?) = result { refusals.append(refusal.counted) }
        return refusals
    }
}
