/// The reason for a refusal by the relying party: a stable word that programs branch on.
///
/// `docs/errors.md` lists the cause of each code and what to do. More codes may be added, so a `switch` over them needs
/// a default: handle a code that this version does not know by its HTTP status.
public struct ProblemCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The request does not have the form that the route requires.
    public static let malformedRequest = Self(rawValue: "malformed_request")
    /// The route does not exist, or it has nothing that the caller may see.
    public static let notFound = Self(rawValue: "not_found")
    /// The path exists, but not with this method. The `Allow` header lists the methods.
    public static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    /// The body's media type is not the one that the route reads.
    public static let unsupportedMediaType = Self(rawValue: "unsupported_media_type")
    /// The body is larger than the route allows.
    public static let bodyTooLarge = Self(rawValue: "body_too_large")
    /// The backend key is missing or wrong.
    public static let backendKeyRefused = Self(rawValue: "backend_key_refused")
    /// The enrolment code is unknown, expired or was used by another device. The answer does not say which.
    public static let enrolmentCodeRefused = Self(rawValue: "enrolment_code_refused")
    /// The user or the password is wrong, or there were too many wrong attempts recently. The answer does not say
    /// which.
    public static let credentialsRefused = Self(rawValue: "credentials_refused")
    /// The challenge handle was not sealed by this relying party for this purpose.
    public static let challengeRefused = Self(rawValue: "challenge_refused")
    /// The challenge has expired. Begin the ceremony again.
    public static let challengeExpired = Self(rawValue: "challenge_expired")
    /// The challenge was used before. Begin the ceremony again.
    public static let challengeUsed = Self(rawValue: "challenge_used")
    /// The signed message was refused. An unknown user, an unknown device, a wrong signature and wrong claims get this
    /// same answer.
    public static let messageRefused = Self(rawValue: "message_refused")
    /// The device key is already bound to another user or by another app. Make a new key.
    public static let deviceKeyTaken = Self(rawValue: "device_key_taken")
    /// The user has the maximum number of devices. Revoke one, then bind again with the same code.
    public static let tooManyDevices = Self(rawValue: "too_many_devices")
    /// The device was revoked. The client deletes its keys and offers a new binding.
    public static let deviceRevoked = Self(rawValue: "device_revoked")
    /// The device was replaced by a newer device of the user, because each user may have only one. Handle it as
    /// `deviceRevoked`.
    public static let deviceReplaced = Self(rawValue: "device_replaced")
    /// The device is blocked until the user or an operator unblocks it. The client keeps its keys.
    public static let deviceBlocked = Self(rawValue: "device_blocked")
    /// An operator blocked the device. Only an operator can unblock it.
    public static let blockedByOperator = Self(rawValue: "blocked_by_operator")
    /// The access token is missing, expired or not from this relying party. Get a new one.
    public static let accessTokenRefused = Self(rawValue: "access_token_refused")
    /// The refresh token is unknown, expired or was used before. Log in again.
    public static let refreshTokenRefused = Self(rawValue: "refresh_token_refused")
    /// The DPoP proof is missing or does not match the request. Make a new one.
    public static let dpopProofRefused = Self(rawValue: "dpop_proof_refused")
    /// The DPoP proof has no nonce from the server, or one that is too old. Make a new proof with the nonce of this
    /// answer.
    public static let dpopNonceRequired = Self(rawValue: "dpop_nonce_required")
    /// There were too many requests from one address or for one account. `Retry-After` gives the seconds to wait.
    public static let rateLimited = Self(rawValue: "rate_limited")
    /// A different transaction already has this id. Make a new id.
    public static let transactionIDTaken = Self(rawValue: "transaction_id_taken")
    /// The user does not exist, or one of the devices is not the user's or is revoked, replaced or blocked.
    public static let addresseeUnknown = Self(rawValue: "addressee_unknown")
    /// The user has the maximum number of pending transactions. Void one, or wait until one ends.
    public static let tooManyTransactions = Self(rawValue: "too_many_transactions")
    /// The expiry is in the past or later than the relying party allows.
    public static let expiryRefused = Self(rawValue: "expiry_refused")
    /// The app's id is not new, or the app was changed or removed since it was read. Read it again, then repeat the
    /// change.
    public static let appChanged = Self(rawValue: "app_changed")
    /// The maximum number of apps is registered. Remove one.
    public static let tooManyApps = Self(rawValue: "too_many_apps")
    /// The backend's API key is valid, but does not have the scope that the request needs.
    public static let apiKeyScopeMissing = Self(rawValue: "api_key_scope_missing")
    /// An API key that is not revoked has this name. Choose another name.
    public static let apiKeyNameTaken = Self(rawValue: "api_key_name_taken")
    /// The maximum number of API keys exists. Revoke one.
    public static let tooManyAPIKeys = Self(rawValue: "too_many_api_keys")
    /// An operator's request is about a device that was revoked or replaced, which cannot be undone.
    public static let deviceEnded = Self(rawValue: "device_ended")
    /// Another revision of the policy is stored than the request replaces. Read it again, then repeat the change.
    public static let policyChanged = Self(rawValue: "policy_changed")
    /// The signed details differ from those of the transaction. Get the list again and show the details in it.
    public static let transactionChanged = Self(rawValue: "transaction_changed")
    /// The transaction was confirmed before.
    public static let transactionConfirmed = Self(rawValue: "transaction_confirmed")
    /// The transaction was rejected before.
    public static let transactionRejected = Self(rawValue: "transaction_rejected")
    /// The transaction has expired.
    public static let transactionExpired = Self(rawValue: "transaction_expired")
    /// The app's backend voided the transaction.
    public static let transactionVoided = Self(rawValue: "transaction_voided")
    /// The details that the device signed differ from those of the remote login. Get the list again and show it again.
    public static let remoteLoginChanged = Self(rawValue: "remote_login_changed")
    /// The remote login has ended: it was decided before, has expired, or devices of two users scanned its code.
    public static let remoteLoginEnded = Self(rawValue: "remote_login_ended")
    /// The message is too old, or its date comes from a wrong clock. Sign it again with the time in the answer's
    /// standing.
    public static let messageExpired = Self(rawValue: "message_expired")
    /// The blinded element is not a point of the curve. No guess was charged.
    public static let blindedElementRefused = Self(rawValue: "blinded_element_refused")
    /// The device key alone may not open an epoch of the two-party PIN. Send an enrolment code too.
    public static let enrolmentCodeRequired = Self(rawValue: "enrolment_code_required")
    /// The device has no two-party PIN.
    public static let pinNotEnrolled = Self(rawValue: "pin_not_enrolled")
    /// All guesses are used up and the relying party's keys for the device are destroyed. The PIN can no longer open
    /// anything.
    public static let pinDestroyed = Self(rawValue: "pin_destroyed")
    /// A round of guesses has ended, and the wait after it has not. No guess was charged. The answer's standing has the
    /// rest of the wait.
    public static let pinWaiting = Self(rawValue: "pin_waiting")
    /// This kind of message cannot be sent for the epoch that the message names. No guess was charged. The answer's
    /// standing lists the epochs.
    public static let pinEpochPassed = Self(rawValue: "pin_epoch_passed")
    /// The count was cleared after the message was made. No guess was charged. The answer's standing has the window.
    public static let pinWindowPassed = Self(rawValue: "pin_window_passed")
    /// No guess with this id was charged for the epoch in the current window.
    public static let pinGuessUnknown = Self(rawValue: "pin_guess_unknown")
    /// Another key opened a candidate, which is still open. Abandon it with that key, or send an enrolment code.
    public static let pinCandidateOpen = Self(rawValue: "pin_candidate_open")
    /// The vault was opened with a local PIN, or the client does not state how it was opened. Unlock it another way,
    /// and log in again.
    public static let localPinRefused = Self(rawValue: "local_pin_refused")
    /// The relying party cannot serve the request now. Try again later.
    public static let unavailable = Self(rawValue: "unavailable")
    /// The relying party has a defect. Its log has the request id.
    public static let internalError = Self(rawValue: "internal_error")

    /// Whether the device can never log in again with its current keys. The client then deletes them.
    package var endsBinding: Bool { self == .deviceRevoked || self == .deviceReplaced }

    /// Every code of this version, in the order in which `docs/errors.md` lists them.
    public static let all: [Self] = [
        .malformedRequest, .notFound, .methodNotAllowed, .unsupportedMediaType, .bodyTooLarge, .backendKeyRefused,
        .enrolmentCodeRefused, .credentialsRefused,
        .challengeRefused, .challengeExpired, .challengeUsed, .messageRefused, .deviceKeyTaken, .tooManyDevices,
        .deviceRevoked, .deviceReplaced, .deviceBlocked, .blockedByOperator, .accessTokenRefused, .refreshTokenRefused,
        .dpopProofRefused, .dpopNonceRequired, .rateLimited, .transactionIDTaken, .addresseeUnknown,
        .tooManyTransactions, .expiryRefused, .appChanged, .tooManyApps,
        .apiKeyScopeMissing, .apiKeyNameTaken, .tooManyAPIKeys, .deviceEnded, .policyChanged,
        .transactionChanged,
        .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
        .remoteLoginChanged, .remoteLoginEnded,
        .messageExpired, .blindedElementRefused, .enrolmentCodeRequired, .pinNotEnrolled, .pinDestroyed,
        .pinWaiting, .pinEpochPassed, .pinWindowPassed, .pinGuessUnknown, .pinCandidateOpen, .localPinRefused,
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
