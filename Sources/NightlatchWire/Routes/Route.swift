import Foundation

/// A route of the relying party: the method and the path that client and server share.
public struct Route: Hashable, Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    public let method: Method
    /// The path from the relying party's root. `{name}` is a placeholder for one segment.
    public let path: String

    init(_ method: Method, _ path: String) {
        self.method = method
        self.path = path
    }

    /// Whether the process runs. It checks nothing else.
    public static let liveness = Route(.get, "/health/live")
    /// Whether the process can serve requests: its store answers.
    public static let readiness = Route(.get, "/health/ready")
    /// The keys that sign access tokens: ``JWKSet``.
    public static let jwks = Route(.get, "/.well-known/jwks.json")
    /// The capabilities of the OAuth routes ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)): the same document as
    /// that of OpenID Connect's discovery.
    public static let metadata = Route(.get, "/.well-known/oauth-authorization-server")
    /// The OpenAPI description of the routes.
    public static let openAPI = Route(.get, "/openapi.json")
    /// The app's backend asks for a code: ``EnrolmentCodeRequest`` to ``EnrolmentCodeGrant``.
    public static let enrolmentCodes = Route(.post, "/v1/enrolment-codes")
    /// The app's backend sets a user's password: ``Credentials`` to ``CredentialsResult``.
    public static let setPassword = Route(.post, "/v1/passwords")
    /// The app's backend verifies a user's password: ``Credentials`` to ``CredentialsResult``.
    public static let verifyPassword = Route(.post, "/v1/passwords/verify")
    /// A device gets a code for its user's password: ``Credentials`` to ``EnrolmentCodeGrant``.
    public static let enrolByPassword = Route(.post, "/v1/enrolment-codes/by-password")
    /// ``BindingRequest`` to ``BindingChallenge``.
    public static let beginBinding = Route(.post, "/v1/binding/begin")
    /// ``BindingAnswer`` to ``BindingResult``.
    public static let finishBinding = Route(.post, "/v1/binding/finish")
    /// ``LoginRequest`` to ``LoginChallenge``. The login is finished at ``token``.
    public static let beginLogin = Route(.post, "/v1/login/begin")
    /// ``TokenRequest`` to ``TokenGrant``.
    public static let token = Route(.post, "/oauth/token")
    /// Ends a login: ``PresentedToken``, with an empty answer.
    public static let revokeToken = Route(.post, "/oauth/revoke")
    /// The app's backend checks a token: ``PresentedToken`` to ``TokenIntrospection``.
    public static let introspectToken = Route(.post, "/oauth/introspect")
    /// The caller's own devices: ``DeviceList``.
    public static let devices = Route(.get, "/v1/devices")
    /// Renames one of the caller's own devices: ``RenameDeviceRequest`` to ``DeviceSummary``.
    public static let renameDevice = Route(.post, "/v1/devices/{device}/rename")
    /// Blocks one of the caller's own devices until it is unblocked: ``DeviceSummary``.
    public static let blockDevice = Route(.post, "/v1/devices/{device}/block")
    /// Removes the user's own block: ``DeviceSummary``.
    public static let unblockDevice = Route(.post, "/v1/devices/{device}/unblock")
    /// Revokes one of the caller's own devices: ``DeviceSummary``.
    public static let revokeDevice = Route(.post, "/v1/devices/{device}/revoke")

    /// The app's backend asks for a decision: ``TransactionRequest`` to ``TransactionReport``.
    public static let createTransaction = Route(.post, "/v1/transactions")
    /// The app's backend gets a transaction and its proof: ``TransactionReport``.
    public static let transaction = Route(.get, "/v1/transactions/{transaction}")
    /// The app's backend voids a transaction: ``TransactionReport``.
    public static let voidTransaction = Route(.post, "/v1/transactions/{transaction}/void")
    /// The app's backend lists the transactions of the user in the query: ``TransactionReportList``.
    public static let transactions = Route(.get, "/v1/transactions")
    /// The app's backend gets the profile of the user in the query.
    public static let profile = Route(.get, "/v1/profiles")
    /// The app's backend replaces a user's profile.
    public static let setProfile = Route(.post, "/v1/profiles")
    /// The app's backend removes a user's profile.
    public static let removeProfile = Route(.post, "/v1/profiles/remove")
    /// The app's backend gets the policy of an app.
    public static let appPolicy = Route(.get, "/v1/apps/{client}/policy")
    /// The app's backend replaces the policy of an app: ``Policy``.
    public static let setAppPolicy = Route(.post, "/v1/apps/{client}/policy")
    /// The app's backend gets the policy of the user in the query.
    public static let userPolicy = Route(.get, "/v1/policies")
    /// The app's backend replaces the policy of a user.
    public static let setUserPolicy = Route(.post, "/v1/policies")
    /// The app's backend lists the registered apps.
    public static let apps = Route(.get, "/v1/apps")
    /// The app's backend gets a registered app.
    public static let app = Route(.get, "/v1/apps/{client}")
    /// The app's backend registers or changes an app.
    public static let putApp = Route(.post, "/v1/apps/{client}")
    /// The app's backend removes an app.
    public static let removeApp = Route(.post, "/v1/apps/{client}/remove")
    /// The transactions that the caller may decide: ``TransactionNoticeList``.
    public static let pendingTransactions = Route(.get, "/v1/pending-transactions")
    /// ``DecisionRequest`` to ``DecisionChallenge``.
    public static let beginDecision = Route(.post, "/v1/decision/begin")
    /// ``DecisionAnswer`` to ``DecisionResult``.
    public static let finishDecision = Route(.post, "/v1/decision/finish")

    /// The remote logins that wait for the caller's user: ``RemoteLoginNoticeList``.
    public static let remoteLogins = Route(.get, "/v1/remote-logins")
    /// The caller's user scanned a login page: ``RemoteLoginClaim`` to ``RemoteLoginNotice``.
    public static let claimRemoteLogin = Route(.post, "/v1/remote-logins/claim")
    /// ``RemoteLoginRequest`` to ``RemoteLoginChallenge``.
    public static let beginRemoteLogin = Route(.post, "/v1/remote-logins/begin")
    /// ``RemoteLoginAnswer`` to ``RemoteLoginResult``.
    public static let finishRemoteLogin = Route(.post, "/v1/remote-logins/finish")

    /// The state of a device's two-party PIN: ``PinRequest`` with a ``PinInquiry`` to ``PinStanding``.
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

    /// Whether refusals of the route have the form of RFC 6749: ``OAuthError``.
    package var isOAuth: Bool { path.hasPrefix("/oauth/") }

    /// The path with `device` in place of `{device}`.
    public func path(device: DeviceID) -> String {
        path.replacing("{device}", with: device.rawValue)
    }

    /// The path with `transaction` in place of `{transaction}`.
    public func path(transaction: TransactionID) -> String {
        path.replacing("{transaction}", with: transaction.rawValue)
    }

    /// The path with `client` in place of `{client}`.
    public func path(client: ClientID) -> String {
        path.replacing("{client}", with: client.rawValue)
    }

    /// The path with `key` in place of `{key}`: the id of an API key.
    public func path(key: String) -> String { path.replacing("{key}", with: key) }

    /// The path with a query for `user`.
    public func path(user: UserID) -> String {
        let escaped = user.rawValue.utf8.map { byte in
            byte.isASCIILetterOrDigit || "._-".utf8.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return path + "?user=" + escaped.joined()
    }
}
