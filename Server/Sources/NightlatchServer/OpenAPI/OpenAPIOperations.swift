import NightlatchRelyingParty
import NightlatchWire

/// The description of all routes.
package enum OpenAPIOperations {
    /// Every route, in the order of `docs/protocol.md`.
    package static let all: [OpenAPIOperation] =
        published + enrolment + login + sessions + transactions + decisions + remoteLogins + pins + apps + profiles

    private static let published = [
        OpenAPIOperation(
            route: .liveness, name: "isAlive", summary: "Whether the process runs.", answer: "Health",
            isBounded: false),
        OpenAPIOperation(
            route: .readiness, name: "isReady", summary: "Whether the store can be written.", answer: "Health"),
        OpenAPIOperation(
            route: .jwks, name: "keys", summary: "The keys that sign access tokens (RFC 7517).", answer: "KeySet",
            isBounded: false),
        OpenAPIOperation(
            route: .metadata, name: "metadata", summary: "What the OAuth routes can do (RFC 8414).", answer: "Metadata",
            isBounded: false),
        OpenAPIOperation(
            route: .openAPI, name: "description", summary: "This description.", answer: "Description"),
    ]

    private static let enrolment = [
        OpenAPIOperation(
            route: .enrolmentCodes, name: "createEnrolmentCode",
            summary: "A code with which the user binds one device.",
            caller: .backend, body: .json(schema: "EnrolmentCodeRequest"), answer: "EnrolmentCodeGrant"),
        OpenAPIOperation(
            route: .setPassword, name: "setPassword", summary: "Sets a user's password.", caller: .backend,
            body: .json(schema: "Credentials"), answer: "CredentialsResult"),
        OpenAPIOperation(
            route: .verifyPassword, name: "verifyPassword", summary: "Whether a user's password is right.",
            caller: .backend, body: .json(schema: "Credentials"), answer: "CredentialsResult",
            refusals: [.credentialsRefused]),
        OpenAPIOperation(
            route: .enrolByPassword, name: "createEnrolmentCodeByPassword",
            summary: "An enrolment code for a user name and a password.",
            body: .json(schema: "Credentials"), answer: "EnrolmentCodeGrant", refusals: [.credentialsRefused]),
        OpenAPIOperation(
            route: .beginBinding, name: "beginBinding", summary: "A challenge to bind a device key.",
            body: .json(schema: "BindingRequest"), answer: "BindingChallenge", refusals: [.enrolmentCodeRefused]),
        OpenAPIOperation(
            route: .finishBinding, name: "finishBinding", summary: "Binds the device key that signed the message.",
            body: .json(schema: "SignedAnswer"), answer: "BindingResult",
            refusals: challengeRefusals + [.enrolmentCodeRefused, .deviceKeyTaken, .tooManyDevices]),
    ]

    private static let login = [
        OpenAPIOperation(
            route: .beginLogin, name: "beginLogin",
            summary: "A challenge for a login, also for an unknown user.",
            body: .json(schema: "LoginRequest"), answer: "CeremonyChallenge", nonce: .onSuccess),
        OpenAPIOperation(
            route: .token, name: "token",
            summary: "Tokens for a signed login (RFC 7523) or a refresh token (RFC 6749).",
            caller: .provedDevice, body: .form(schema: "TokenRequest"), answer: "TokenGrant", isOAuth: true,
            nonce: .always, refusals: challengeRefusals + [.refreshTokenRefused, .pinNotEnrolled, .localPinRefused],
            words: [OAuthError(.unsupportedGrantType, code: .malformedRequest, description: nil)]),
        OpenAPIOperation(
            route: .revokeToken, name: "revokeToken", summary: "Ends the login that issued a token (RFC 7009).",
            caller: .provedDevice, body: .form(schema: "PresentedToken"), answer: nil, isOAuth: true, nonce: .always),
        OpenAPIOperation(
            route: .introspectToken, name: "introspectToken", summary: "Whether a token is valid now (RFC 7662).",
            caller: .backend, body: .form(schema: "PresentedToken"), answer: "TokenIntrospection", isOAuth: true),
    ]

    private static let sessions = [
        OpenAPIOperation(
            route: .devices, name: "listDevices", summary: "The caller's own devices.", caller: .session,
            answer: "DeviceList", nonce: .always),
        OpenAPIOperation(
            route: .renameDevice, name: "renameDevice", summary: "Renames one of the caller's own devices.",
            caller: .session, body: .json(schema: "RenameDeviceRequest"),
            parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")], answer: "DeviceSummary",
            nonce: .always, refusals: [.notFound]),
        OpenAPIOperation(
            route: .blockDevice, name: "blockDevice",
            summary: "Blocks one of the caller's own devices until that is undone.", caller: .session,
            parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")], answer: "DeviceSummary",
            nonce: .always, refusals: [.notFound]),
        OpenAPIOperation(
            route: .unblockDevice, name: "unblockDevice", summary: "Undoes the user's own block of a device.",
            caller: .session, parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")],
            answer: "DeviceSummary", nonce: .always, refusals: [.notFound, .blockedByOperator]),
        OpenAPIOperation(
            route: .revokeDevice, name: "revokeDevice", summary: "Revokes one of the caller's own devices.",
            caller: .session, parameters: [OpenAPISchema.pathParameter("device", schema: "DeviceID")],
            answer: "DeviceSummary", nonce: .always, refusals: [.notFound]),
    ]

    private static let transactions = [
        OpenAPIOperation(
            route: .createTransaction, name: "createTransaction", summary: "Asks a user for a decision.",
            caller: .backend, body: .json(schema: "TransactionRequest"), answer: "TransactionReport",
            refusals: [.transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .expiryRefused]),
        OpenAPIOperation(
            route: .transactions, name: "listTransactions", summary: "The transactions of one user, without proofs.",
            caller: .backend, parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")],
            answer: "TransactionReportList", refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .transaction, name: "transaction", summary: "A transaction and the proof of its decision.",
            caller: .backend, parameters: [OpenAPISchema.pathParameter("transaction", schema: "TransactionID")],
            answer: "TransactionReport", refusals: [.notFound]),
        OpenAPIOperation(
            route: .voidTransaction, name: "voidTransaction", summary: "Voids a pending transaction.", caller: .backend,
            parameters: [OpenAPISchema.pathParameter("transaction", schema: "TransactionID")],
            answer: "TransactionReport",
            refusals: [.notFound, .transactionConfirmed, .transactionRejected, .transactionExpired]),
    ]

    private static let decisions = [
        OpenAPIOperation(
            route: .pendingTransactions, name: "listPendingTransactions",
            summary: "The transactions that the caller may decide now.",
            caller: .session, answer: "TransactionNoticeList", nonce: .always),
        OpenAPIOperation(
            route: .beginDecision, name: "beginDecision", summary: "A challenge for a decision.", caller: .session,
            body: .json(schema: "DecisionRequest"), answer: "CeremonyChallenge", nonce: .always,
            refusals: [.notFound] + ended),
        OpenAPIOperation(
            route: .finishDecision, name: "finishDecision",
            summary: "Records the decision that the device key signed.",
            body: .json(schema: "SignedAnswer"), answer: "DecisionResult", nonce: .always,
            refusals: challengeRefusals + [.notFound, .transactionChanged] + ended),
    ]

    private static let remoteLogins = [
        OpenAPIOperation(
            route: .remoteLogins, name: "listRemoteLogins",
            summary: "The remote logins that wait for the caller's user.",
            caller: .session, answer: "RemoteLoginNoticeList", nonce: .always),
        OpenAPIOperation(
            route: .claimRemoteLogin, name: "claimRemoteLogin",
            summary: "Shows the login of a scanned login page to the caller's user.", caller: .session,
            body: .json(schema: "RemoteLoginClaim"), answer: "RemoteLoginNotice", nonce: .always,
            refusals: [.notFound, .remoteLoginEnded]),
        OpenAPIOperation(
            route: .beginRemoteLogin, name: "beginRemoteLogin", summary: "A challenge for a decision.",
            caller: .session, body: .json(schema: "RemoteLoginRequest"), answer: "CeremonyChallenge", nonce: .always,
            refusals: [.notFound, .remoteLoginEnded]),
        OpenAPIOperation(
            route: .finishRemoteLogin, name: "finishRemoteLogin",
            summary: "Records the decision that the device key signed.",
            body: .json(schema: "SignedAnswer"), answer: "RemoteLoginResult", nonce: .always,
            refusals: challengeRefusals + [.notFound, .remoteLoginChanged, .remoteLoginEnded]),
    ]

    private static let pins = [
        OpenAPIOperation(
            route: .pinStanding, name: "pinStanding", summary: "The state of a device's two-party PIN.",
            body: .json(schema: "PinRequest"), answer: "PinStanding", refusals: pinRefusals),
        OpenAPIOperation(
            route: .openPinEpoch, name: "openPinEpoch", summary: "Opens an epoch of a two-party PIN as a candidate.",
            body: .json(schema: "PinOpeningRequest"), answer: "PinEpochOffer",
            refusals: pinRefusals + [
                .enrolmentCodeRequired, .enrolmentCodeRefused, .pinDestroyed, .pinEpochPassed(.example),
                .pinCandidateOpen(.example),
            ]),
        OpenAPIOperation(
            route: .evaluatePin, name: "evaluatePin", summary: "Charges a guess, then evaluates its blinded element.",
            body: .json(schema: "PinRequest"), answer: "PinEvaluation",
            refusals: pinRefusals + [.blindedElementRefused, .pinWaiting(.example)] + pinStandingRefusals),
        OpenAPIOperation(
            route: .provePin, name: "provePin", summary: "Clears the count of guesses, after proof of the right PIN.",
            body: .json(schema: "PinRequest"), answer: "PinClearing",
            refusals: pinRefusals + [.pinGuessUnknown] + pinStandingRefusals),
        OpenAPIOperation(
            route: .promotePinEpoch, name: "promotePinEpoch",
            summary: "Makes a candidate the current epoch, and destroys the previous one.",
            body: .json(schema: "PinPromotionRequest"), answer: "PinClearing",
            refusals: pinRefusals + [.pinGuessUnknown] + pinStandingRefusals),
        OpenAPIOperation(
            route: .abandonPinEpoch, name: "abandonPinEpoch", summary: "Destroys a candidate.",
            body: .json(schema: "PinRequest"), answer: "PinStanding",
            refusals: pinRefusals + [.pinEpochPassed(.example)]),
    ]

    private static let apps = [
        OpenAPIOperation(
            route: .apps, name: "listApps", summary: "The registered apps in short, in the order of their ids.",
            caller: .backend, answer: "AppSummaryList"),
        OpenAPIOperation(
            route: .app, name: "app", summary: "A registered app.", caller: .backend,
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "App",
            refusals: [.notFound]),
        OpenAPIOperation(
            route: .putApp, name: "putApp",
            summary: "Registers an app, or replaces the revision of it that the request names.", caller: .backend,
            body: .json(schema: "AppRequest"),
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "App",
            refusals: [.notFound, .appChanged, .tooManyApps]),
        OpenAPIOperation(
            route: .removeApp, name: "removeApp", summary: "Removes an app. Idempotent.", caller: .backend,
            parameters: [OpenAPISchema.pathParameter("client", schema: "ClientID")], answer: "RemovedApp",
            refusals: [.notFound]),
    ]

    private static let profiles = [
        OpenAPIOperation(
            route: .profile, name: "profile", summary: "The profile of one user.", caller: .backend,
            parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")], answer: "Profile",
            refusals: [.malformedRequest, .notFound]),
        OpenAPIOperation(
            route: .setProfile, name: "setProfile", summary: "Replaces the whole profile of a user. Idempotent.",
            caller: .backend, body: .json(schema: "ProfileRequest"), answer: "Profile", refusals: [.notFound]),
        OpenAPIOperation(
            route: .removeProfile, name: "removeProfile", summary: "Removes the profile of a user. Idempotent.",
            caller: .backend, body: .json(schema: "ProfileOwner"), answer: "ProfileOwner"),
    ]

    /// The refusals that every message about a two-party PIN can get.
    private static let pinRefusals: [Refusal] = [
        .messageRefused(.wrongSignature), .messageExpired(at: NumericDate(secondsSince1970: 0)), .deviceRevoked,
        .deviceReplaced, .deviceBlocked,
    ]
    private static let pinStandingRefusals: [Refusal] = [
        .pinNotEnrolled, .pinDestroyed, .pinEpochPassed(.example), .pinWindowPassed(.example),
    ]

    /// The refusals that the second half of every ceremony can get.
    private static let challengeRefusals: [Refusal] = [
        .challengeRefused, .challengeExpired, .challengeUsed, .messageRefused(.wrongSignature), .deviceRevoked,
        .deviceReplaced, .deviceBlocked,
    ]
    private static let ended: [Refusal] = [
        .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
    ]
}

extension PinStanding {
    /// An arbitrary value: the description contains only codes.
    fileprivate static let example = PinHardening().standing(
        under: .default, at: NumericDate(secondsSince1970: 0))
}
