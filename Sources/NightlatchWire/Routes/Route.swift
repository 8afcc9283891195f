import Foundation

/// One route of the relying party: what client and server must agree on to meet.
public struct Route: Hashable, Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    public let method: Method
    /// The path from the relying party's root; `{name}` stands for one segment.
    public let path: String

    private init(_ method: Method, _ path: String) {
        self.method = method
        self.path = path
    }

    /// Whether the process runs; touches nothing.
    public static let liveness = Route(.get, "/health/live")
    /// Whether the process can serve: its store answers.
    public static let readiness = Route(.get, "/health/ready")
    /// The keys that sign access tokens: ``JWKSet``.
    public static let jwks = Route(.get, "/.well-known/jwks.json")
    /// What the OAuth routes can do: ``AuthorizationServerMetadata``.
    public static let metadata = Route(.get, "/.well-known/oauth-authorization-server")
    /// What all these routes take and answer, as an OpenAPI description.
    public static let openAPI = Route(.get, "/openapi.json")
    /// The app's backend asks for a code: ``EnrolmentCodeRequest`` to ``EnrolmentCodeGrant``.
    public static let enrolmentCodes = Route(.post, "/v1/enrolment-codes")
    /// The app's backend sets a user's password: ``Credentials`` to ``CredentialsResult``.
    public static let setPassword = Route(.post, "/v1/passwords")
    /// The app's backend has a user's password verified: ``Credentials`` to ``CredentialsResult``.
    public static let verifyPassword = Route(.post, "/v1/passwords/verify")
    /// A device whose user has typed the password gets a code: ``Credentials`` to ``EnrolmentCodeGrant``.
    public static let enrolByPassword = Route(.post, "/v1/enrolment-codes/by-password")
    /// ``BindingRequest`` to ``BindingChallenge``.
    public static let beginBinding = Route(.post, "/v1/binding/begin")
    /// ``BindingAnswer`` to ``BindingResult``.
    public static let finishBinding = Route(.post, "/v1/binding/finish")
    /// ``LoginRequest`` to ``LoginChallenge``; the login is finished at ``token``.
    public static let beginLogin = Route(.post, "/v1/login/begin")
    /// ``TokenRequest`` to ``TokenGrant``.
    public static let token = Route(.post, "/oauth/token")
    /// Ends a login: ``PresentedToken``, without an answer.
    public static let revokeToken = Route(.post, "/oauth/revoke")
    /// The app's backend asks what a token is worth: ``PresentedToken`` to ``TokenIntrospection``.
    public static let introspectToken = Route(.post, "/oauth/introspect")
    /// The caller's own devices: ``DeviceList``.
    public static let devices = Route(.get, "/v1/devices")
    /// Gives one of the caller's own devices another name: ``RenameDeviceRequest`` to ``DeviceSummary``.
    public static let renameDevice = Route(.post, "/v1/devices/{device}/rename")
    /// Blocks one of the caller's own devices until that is undone: ``DeviceSummary``.
    public static let blockDevice = Route(.post, "/v1/devices/{device}/block")
    /// Undoes the user's own block: ``DeviceSummary``.
    public static let unblockDevice = Route(.post, "/v1/devices/{device}/unblock")
    /// Revokes one of the caller's own devices: ``DeviceSummary``.
    public static let revokeDevice = Route(.post, "/v1/devices/{device}/revoke")

    /// The app's backend asks for a decision: ``TransactionRequest`` to ``TransactionReport``.
    public static let createTransaction = Route(.post, "/v1/transactions")
    /// The app's backend looks at a transaction and its proof: ``TransactionReport``.
    public static let transaction = Route(.get, "/v1/transactions/{transaction}")
    /// The app's backend takes a transaction back: ``TransactionReport``.
    public static let voidTransaction = Route(.post, "/v1/transactions/{transaction}/void")
    /// The app's backend looks at the transactions of the user whom the query names: ``TransactionReportList``.
    public static let transactions = Route(.get, "/v1/transactions")
    /// The transactions that the caller may decide: ``TransactionNoticeList``.
    public static let pendingTransactions = Route(.get, "/v1/pending-transactions")
    /// ``DecisionRequest`` to ``DecisionChallenge``.
    public static let beginDecision = Route(.post, "/v1/decision/begin")
    /// ``DecisionAnswer`` to ``DecisionResult``.
    public static let finishDecision = Route(.post, "/v1/decision/finish")

    /// How a device stands with its two-party PIN: ``PinRequest`` with a ``PinInquiry`` to ``PinStanding``.
    public static let pinStanding = Route(.post, "/v1/pin/standing")
    /// ``PinOpeningRequest`` to ``PinEpochOffer``.
    public static let openPinEpoch = Route(.post, "/v1/pin/open")
    /// Charges a guess, then evaluates: ``PinRequest`` with a ``PinGuess`` to ``PinEvaluation``.
    public static let evaluatePin = Route(.post, "/v1/pin/evaluate")
    /// ``PinRequest`` with a ``PinProof`` to ``PinClearing``.
    public static let provePin = Route(.post, "/v1/pin/prove")
    /// ``PinPromotionRequest`` to ``PinClearing``.
    public static let promotePinEpoch = Route(.post, "/v1/pin/promote")
    /// ``PinRequest`` with a ``PinAbandonment`` to ``PinStanding``.
    public static let abandonPinEpoch = Route(.post, "/v1/pin/abandon")

    /// Whether the route refuses in the form of RFC 6749: ``OAuthError``.
    package var isOAuth: Bool { path.hasPrefix("/oauth/") }

    /// The path with `device` in the place that it has for one.
    public func path(device: DeviceID) -> String {
        path.replacing("{device}", with: device.rawValue)
    }

    /// The path with `transaction` in the place that it has for one.
    public func path(transaction: TransactionID) -> String {
        path.replacing("{transaction}", with: transaction.rawValue)
    }

    /// The path with a query that names `user`.
    public func path(user: UserID) -> String {
        let escaped = user.rawValue.utf8.map { byte in
            byte.isASCIILetterOrDigit || "._-".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return path + "?user=" + escaped.joined()
    }
}
