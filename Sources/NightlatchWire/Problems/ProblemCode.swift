/// Why the relying party refused a request: a stable word that programs branch on. `docs/errors.md` tells of each what
/// causes it and what to do.
///
/// The set may grow, so a `switch` over it needs a default: a code that this version does not know is a refusal like any
/// other, told apart by its HTTP status.
public struct ProblemCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The request is not of the form that the route demands.
    public static let malformedRequest = Self(rawValue: "malformed_request")
    /// There is no such route, or nothing under it that the caller may see.
    public static let notFound = Self(rawValue: "not_found")
    /// The path is there, and not by this method. `Allow` says by which it is.
    public static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    /// The body is of another media type than the route reads.
    public static let unsupportedMediaType = Self(rawValue: "unsupported_media_type")
    /// The body is larger than the route reads.
    public static let bodyTooLarge = Self(rawValue: "body_too_large")
    /// The key of the app's backend is missing or wrong.
    public static let backendKeyRefused = Self(rawValue: "backend_key_refused")
    /// The enrolment code is unknown, expired or was used by another device; which, is not told.
    public static let enrolmentCodeRefused = Self(rawValue: "enrolment_code_refused")
    /// The user or the password is wrong, or there were too many wrong ones of late; which, is not told.
    public static let credentialsRefused = Self(rawValue: "credentials_refused")
    /// The challenge handle was not sealed by this relying party for this purpose.
    public static let challengeRefused = Self(rawValue: "challenge_refused")
    /// The challenge is older than its life. Begin the ceremony again.
    public static let challengeExpired = Self(rawValue: "challenge_expired")
    /// The challenge has served already. Begin the ceremony again.
    public static let challengeUsed = Self(rawValue: "challenge_used")
    /// The signed message was refused: unknown user, unknown device, wrong signature and wrong claims are one answer.
    public static let messageRefused = Self(rawValue: "message_refused")
    /// The device key is bound already, to another user or by another app. Make a new one.
    public static let deviceKeyTaken = Self(rawValue: "device_key_taken")
    /// The user has as many devices as a user may have. Revoke one, then bind again with the same code.
    public static let tooManyDevices = Self(rawValue: "too_many_devices")
    /// The device was revoked. It deletes its keys and offers to be bound again.
    public static let deviceRevoked = Self(rawValue: "device_revoked")
    /// Another device of the user was bound, where a user has one, and has taken the place of this one. As `deviceRevoked`.
    public static let deviceReplaced = Self(rawValue: "device_replaced")
    /// The device is blocked until somebody undoes it. It keeps its keys.
    public static let deviceBlocked = Self(rawValue: "device_blocked")
    /// An operator has blocked the device that was to be unblocked. Only an operator undoes that.
    public static let blockedByOperator = Self(rawValue: "blocked_by_operator")
    /// The access token is missing, expired or not this relying party's. Get a new one.
    public static let accessTokenRefused = Self(rawValue: "access_token_refused")
    /// The refresh token is unknown, expired or was used before. Log in again.
    public static let refreshTokenRefused = Self(rawValue: "refresh_token_refused")
    /// The DPoP proof is missing or does not fit the request. Make a new one.
    public static let dpopProofRefused = Self(rawValue: "dpop_proof_refused")
    /// The DPoP proof has no nonce of the server's, or one that is too old. Make a new one with the nonce of this answer.
    public static let dpopNonceRequired = Self(rawValue: "dpop_nonce_required")
    /// Too many requests came from one address or for one account. The answer's `Retry-After` says how many seconds to wait.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// There is a transaction of this id already, and it is another one. Make a new id.
    public static let transactionIDTaken = Self(rawValue: "transaction_id_taken")
    /// There is no such user, or one of the devices is not that user's, or is revoked, replaced or blocked.
    public static let addresseeUnknown = Self(rawValue: "addressee_unknown")
    /// As many transactions of the user are pending as may be. Void one, or wait for one to end.
    public static let tooManyTransactions = Self(rawValue: "too_many_transactions")
    /// The transaction would be expired already, or live longer than the relying party allows.
    public static let expiryRefused = Self(rawValue: "expiry_refused")
    /// The details that were signed are not those of the transaction. Get the list again and show what is in it.
    public static let transactionChanged = Self(rawValue: "transaction_changed")
    /// The transaction was confirmed before.
    public static let transactionConfirmed = Self(rawValue: "transaction_confirmed")
    /// The transaction was rejected before.
    public static let transactionRejected = Self(rawValue: "transaction_rejected")
    /// The transaction's time is over.
    public static let transactionExpired = Self(rawValue: "transaction_expired")
    /// The app's backend has taken the transaction back.
    public static let transactionVoided = Self(rawValue: "transaction_voided")
    /// The message is too old, or dated by a clock that is wrong. Sign it anew, by the clock of the standing that comes along.
    public static let messageExpired = Self(rawValue: "message_expired")
    /// The blinded element is no point of the curve. Nothing was charged.
    public static let blindedElementRefused = Self(rawValue: "blinded_element_refused")
    /// The device key alone may not open an epoch of the two-party PIN: full credentials are asked for.
    public static let enrolmentCodeRequired = Self(rawValue: "enrolment_code_required")
    /// The device has no two-party PIN.
    public static let pinNotEnrolled = Self(rawValue: "pin_not_enrolled")
    /// All guesses were used up, and the relying party's keys for the device are destroyed: its PIN opens nothing any more.
    public static let pinDestroyed = Self(rawValue: "pin_destroyed")
    /// The epoch is not one that this message may be about, or is no more. The standing that comes along says which are.
    public static let pinEpochPassed = Self(rawValue: "pin_epoch_passed")
    /// The count was cleared since. Nothing was charged; the standing that comes along has the window.
    public static let pinWindowPassed = Self(rawValue: "pin_window_passed")
    /// No guess of this id was charged in the window for the epoch.
    public static let pinGuessUnknown = Self(rawValue: "pin_guess_unknown")
    /// A candidate is open that another key has opened. Have that key give it up, or bring an enrolment code.
    public static let pinCandidateOpen = Self(rawValue: "pin_candidate_open")
    /// The vault was opened by a PIN on the device alone, or nobody says how. Open it otherwise, and log in.
    public static let localPinRefused = Self(rawValue: "local_pin_refused")
    /// The relying party cannot serve now. Try again later.
    public static let unavailable = Self(rawValue: "unavailable")
    /// A defect of the relying party; its log has the request id.
    public static let internalError = Self(rawValue: "internal_error")

    /// Whether the device that is told it can never log in again with the keys that it has: it deletes them.
    package var endsBinding: Bool { self == .deviceRevoked || self == .deviceReplaced }

    /// Every code of this version, in the order in which `docs/errors.md` lists them.
    public static let all: [Self] = [
        .malformedRequest, .notFound, .methodNotAllowed, .unsupportedMediaType, .bodyTooLarge, .backendKeyRefused,
        .enrolmentCodeRefused, .credentialsRefused,
        .challengeRefused, .challengeExpired, .challengeUsed, .messageRefused, .deviceKeyTaken, .tooManyDevices,
        .deviceRevoked, .deviceReplaced, .deviceBlocked, .blockedByOperator, .accessTokenRefused, .refreshTokenRefused,
        .dpopProofRefused, .dpopNonceRequired, .rateLimited, .transactionIDTaken, .addresseeUnknown,
        .tooManyTransactions, .expiryRefused,
        .transactionChanged,
        .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
        .messageExpired, .blindedElementRefused, .enrolmentCodeRequired, .pinNotEnrolled, .pinDestroyed,
        .pinEpochPassed, .pinWindowPassed, .pinGuessUnknown, .pinCandidateOpen, .localPinRefused,
        .unavailable, .internalError,
    ]
}

extension ProblemCode: Codable {
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
