/// What happened, as a person needs to know it. Many errors are the same to a person; the error itself tells them
/// apart.
public enum ErrorSummary: Hashable, Sendable {
    // The PIN.
    /// The PIN was wrong; so many may still be tried, nil where that is not known.
    case wrongPin(triesLeft: Int?)
    /// No PIN is tried for this time; nil where time alone does not end it.
    case pinWaiting(Duration?)
    /// No PIN opens the vault any more.
    case pinBlocked
    /// The policy does not allow the PIN that was chosen.
    case pinRefused
    /// What was typed is no PIN.
    case notAPin
    /// The PIN is set already.
    case pinIsSet
    /// It takes the PIN; biometrics are not enough.
    case pinNeeded
    /// The PIN was tried on the device alone, and the service takes no login after that.
    case pinTriedHereOnly
    /// The last wrong PIN has erased the vault.
    case erased

    // Biometrics.
    case biometricsNotRecognised
    case biometricsNotSetUp
    /// The enrolled faces or fingers have changed.
    case biometricsChanged
    /// The system wants the device's passcode first.
    case biometricsLockedOut
    /// The person does not let the app use them.
    case biometricsNotAllowed
    case biometricsUnavailable
    case biometricsInterrupted

    // What is on the device.
    /// No profile or vault was found.
    case nothingFound
    case alreadyThere
    /// The app has locked itself.
    case locked
    /// Another call or program changed the same thing first.
    case changedMeanwhile
    case damaged
    /// A newer version of the app wrote it.
    case newerVersion
    /// It was made on another device, or copied from one.
    case fromElsewhere
    /// It is a copy from before: the service has another key for its PIN by now.
    case outdated
    case storageUnavailable
    case storageFull
    case notPermitted
    case memoryFull
    /// The device keeps as many as it can.
    case tooMany
    case keyUnavailable
    /// The key was lost or damaged.
    case keyLost
    /// No key of that name, or of that person, is there.
    case noSuchKey
    case chipUnavailable
    case unsupported

    // The service.
    case unreachable
    case serviceBusy
    case serviceFailed
    /// Something other than the service has answered.
    case notTheService
    /// The service refused, for a reason that only its developers need to know.
    case refused
    case tookTooLong
    case loginEnded
    case credentialsRefused
    case codeRefused
    case codeNeeded
    case codeOfAnotherPerson
    case notBound
    case boundElsewhere
    case deviceUnknown
    case deviceRevoked
    case deviceBlocked
    case tooManyDevices

    // Transactions.
    case transactionConfirmed
    case transactionRejected
    case transactionExpired
    case transactionVoided
    /// What was shown is not what the service has.
    case transactionChanged
    /// It has hidden characters, so it can only be rejected.
    case transactionCannotBeShown

    // The recovery phrase.
    case phraseMistyped
    case phraseWrong
    case phraseNotSetUp
    case phraseNeeded
    /// Nothing shows that the vault's owner has sealed what the phrase opens.
    case phraseUnproved

    case cancelled
    case internalFault
}

extension ErrorSummary {
    /// One of each case, for tests of a translation.
    public static let all: [ErrorSummary] =
        [nil, 0, 1, 2].map { .wrongPin(triesLeft: $0) } + [nil, .seconds(1), .seconds(90)].map { .pinWaiting($0) } + [
            .pinBlocked, .pinRefused, .notAPin, .pinIsSet, .pinNeeded, .pinTriedHereOnly, .erased,
            .biometricsNotRecognised, .biometricsNotSetUp, .biometricsChanged, .biometricsLockedOut,
            .biometricsNotAllowed, .biometricsUnavailable, .biometricsInterrupted,
            .nothingFound, .alreadyThere, .locked, .changedMeanwhile, .damaged, .newerVersion, .fromElsewhere,
            .outdated, .storageUnavailable, .storageFull, .notPermitted, .memoryFull, .tooMany, .keyUnavailable,
            .keyLost, .noSuchKey, .chipUnavailable, .unsupported,
            .unreachable, .serviceBusy, .serviceFailed, .notTheService, .refused, .tookTooLong, .loginEnded,
            .credentialsRefused, .codeRefused, .codeNeeded, .codeOfAnotherPerson, .notBound, .boundElsewhere,
            .deviceUnknown, .deviceRevoked, .deviceBlocked, .tooManyDevices,
            .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
            .transactionChanged, .transactionCannotBeShown,
            .phraseMistyped, .phraseWrong, .phraseNotSetUp, .phraseNeeded, .phraseUnproved,
            .cancelled, .internalFault,
        ]
}
