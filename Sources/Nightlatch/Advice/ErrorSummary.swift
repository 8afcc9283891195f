/// The summary of an error from the user's point of view. Several errors can have the same summary.
public enum ErrorSummary: Hashable, Sendable {
    // The PIN.
    /// The PIN was wrong. The value is the number of attempts left, nil if it is unknown.
    case wrongPin(triesLeft: Int?)
    /// No PIN is tried for this time; nil if the wait does not end by time alone.
    case pinWaiting(Duration?)
    /// No PIN opens the vault any more.
    case pinBlocked
    /// The chosen PIN breaks a rule for new PINs, or it is the current PIN.
    case pinRefused
    /// The input is no PIN.
    case notAPin
    /// The PIN is already set.
    case pinIsSet
    /// The PIN is required; biometrics are not enough.
    case pinNeeded
    /// The PIN was tried on the device alone, and the service accepts no login after that.
    case pinTriedHereOnly
    /// The last wrong PIN has erased the vault.
    case erased

    // Biometrics.
    case biometricsNotRecognised
    case biometricsNotSetUp
    /// The enrolled faces or fingers have changed.
    case biometricsChanged
    /// The system requires the device's passcode first.
    case biometricsLockedOut
    /// The user does not allow the app to use biometrics.
    case biometricsNotAllowed
    case biometricsUnavailable
    case biometricsInterrupted

    // The data on the device.
    /// No profile or vault was found.
    case nothingFound
    case alreadyThere
    /// The app has locked itself.
    case locked
    /// Another call or program changed the same thing first.
    case changedMeanwhile
    case damaged
    /// A newer version of the app wrote the data.
    case newerVersion
    /// The data was created on another device, or copied from one.
    case fromElsewhere
    /// The data is an old copy: the service now has another key for its PIN.
    case outdated
    case storageUnavailable
    case storageFull
    case notPermitted
    /// The relying party's policy does not allow it.
    case forbiddenByPolicy
    case memoryFull
    /// The device has the maximum number of profiles, keys or other items.
    case tooMany
    case keyUnavailable
    /// The key was lost or damaged.
    case keyLost
    /// There is no key with this name, or for this user.
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
    /// The transaction on the screen differs from the service's.
    case transactionChanged
    /// The transaction has hidden characters, so it can only be rejected.
    case transactionCannotBeShown

    // Remote logins.
    /// The login was decided before, has expired, or two users scanned its code.
    case remoteLoginEnded
    /// The login on the screen differs from the service's.
    case remoteLoginChanged
    /// The number was not the one on the login page.
    case remoteLoginNumberWrong
    /// The number on the login page is required.
    case remoteLoginNumberMissing

    // The recovery phrase.
    case phraseMistyped
    case phraseWrong
    case phraseNotSetUp
    case phraseNeeded
    /// Nothing proves that the vault's owner sealed the data that the phrase opens.
    case phraseUnproved

    case cancelled
    /// A text, such as a name, is too long, too short or has characters that are not allowed.
    case invalidInput
    case internalFault
}

extension ErrorSummary {
    /// An instance of each case, for tests of a translation.
    public static let all: [ErrorSummary] =
        [nil, 0, 1, 2].map { .wrongPin(triesLeft: $0) } + [nil, .seconds(1), .seconds(90)].map { .pinWaiting($0) } + [
            .pinBlocked, .pinRefused, .notAPin, .pinIsSet, .pinNeeded, .pinTriedHereOnly, .erased,
            .biometricsNotRecognised, .biometricsNotSetUp, .biometricsChanged, .biometricsLockedOut,
            .biometricsNotAllowed, .biometricsUnavailable, .biometricsInterrupted,
            .nothingFound, .alreadyThere, .locked, .changedMeanwhile, .damaged, .newerVersion, .fromElsewhere,
            .outdated, .storageUnavailable, .storageFull, .notPermitted, .forbiddenByPolicy, .memoryFull, .tooMany,
            .keyUnavailable, .keyLost, .noSuchKey, .chipUnavailable, .unsupported,
            .unreachable, .serviceBusy, .serviceFailed, .notTheService, .refused, .tookTooLong, .loginEnded,
            .credentialsRefused, .codeRefused, .codeNeeded, .codeOfAnotherPerson, .notBound, .boundElsewhere,
            .deviceUnknown, .deviceRevoked, .deviceBlocked, .tooManyDevices,
            .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
            .transactionChanged, .transactionCannotBeShown,
            .remoteLoginEnded, .remoteLoginChanged, .remoteLoginNumberWrong, .remoteLoginNumberMissing,
            .phraseMistyped, .phraseWrong, .phraseNotSetUp, .phraseNeeded, .phraseUnproved,
            .cancelled, .invalidInput, .internalFault,
        ]
}
