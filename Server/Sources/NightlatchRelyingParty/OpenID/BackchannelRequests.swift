import NightlatchWire

/// Lets an app's backend ask a user for a login or a confirmation, without a browser
/// ([OpenID Connect Client-Initiated Backchannel
/// Authentication](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html), poll
/// mode).
///
/// The request becomes a ``RemoteLogin`` without a number. Its `auth_req_id` is sealed and bound to the app, so nothing
/// else is stored. ``AppTokenExchange`` answers the polls.
package struct BackchannelRequests: Sendable {
    package static let grantType = "urn:openid:params:grant-type:ciba"
    /// The time that an app waits between two polls. It is advice: a limit on requests slows a faster app down.
    private static let interval: Duration = .seconds(5)

    private let context: AppContext
    private let sealer: JSONSealer

    package init(in context: AppContext, keyring: MasterKeyring) {
        self.context = context
        sealer = JSONSealer(keyring: keyring, for: .backchannelRequest)
    }

    /// The answer to a request, with the values that the app needs for polling.
    package struct Receipt: Encodable, Hashable, Sendable {
        let id: String
        let life: Duration

        package func encode(to encoder: any Encoder) throws {
            var members = JSONObjectWriter(encoder)
            try members.add("auth_req_id", id)
            try members.add("expires_in", Int(life.components.seconds))
            try members.add("interval", Int(BackchannelRequests.interval.components.seconds))
        }
    }

    /// A request that an app polls for.
    struct Asked: Codable, Hashable, Sendable {
        let login: RemoteLoginID
        let scopes: [AppScope]
        let expiresAt: NumericDate
    }

    /// Shows a request to the devices of the user that `login_hint` names.
    ///
    /// After an error of the store the request may have been shown; the app may ask again, and the first request
    /// expires.
    ///
    /// A request waits for ``RemoteLogin/life``; `requested_expiry` is ignored, so that an app cannot ask more often.
    ///
    /// - Throws: ``Refusal`` `authorizationRefused` with the word of the specification: the app must have credentials,
    ///   name a known user, ask for `openid`, and send a short message, if any. `rateLimited` if three requests of
    ///   backends wait for the user.
    package func begin(_ fields: [String: String], by app: App) async throws(Refusal) -> Receipt {
        guard app.authentication != .none else {
            throw .authorizationRefused(.unauthorizedClient, "The app needs credentials.")
        }
        if fields["request"] != nil {
            throw .authorizationRefused(.invalidRequest, "Signed requests are not supported.")
        }
        let words = (fields["scope"] ?? "").split(separator: " ").map(String.init)
        let scopes = app.scopes.filter { words.contains($0.rawValue) }
        guard scopes.contains(.openID) else {
            throw .authorizationRefused(.invalidScope, "The scope must contain openid, and the app must have it.")
        }
        guard let hint = fields["login_hint"], fields["login_hint_token"] == nil, fields["id_token_hint"] == nil else {
            throw .authorizationRefused(.invalidRequest, "The request must have a login_hint and no other hint.")
        }
        guard let user = UserID(rawValue: hint) else { throw Self.unknownUser }
        let message = fields["binding_message"].map(RemoteLoginMessage.init(rawValue:))
        if case .some(.none) = message {
            throw .authorizationRefused(
                .invalidBindingMessage, "The binding_message must be \(RemoteLoginMessageRule.requirement).")
        }
        let now = context.clock.now()
        let login = RemoteLogin(
            id: .random(), user: user,
            details: RemoteLoginDetails(
                client: app.id, app: app.name, place: nil, message: message ?? nil, hasNumber: false, requestedAt: now,
                expiresAt: now + RemoteLogin.life),
            number: nil, isClaimed: false)
        let opening = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.openRemoteLogin(login)
        }
        switch opening {
        case .opened: break
        case .userUnknown: throw Self.unknownUser
        case .tooMany: throw .rateLimited(retryAfter: RemoteLogin.life)
        // The id is new, so no other user has it. An expired login means that the clocks of two processes differ.
        case .contested, .expired: throw .internalError
        }
        let asked = Asked(login: login.id, scopes: scopes, expiresAt: login.details.expiresAt)
        guard let id = sealer.seal(StrictJSON.encode(asked), for: app.id) else { throw .internalError }
        return Receipt(id: id, life: RemoteLogin.life)
    }

    private static let unknownUser = Refusal.authorizationRefused(.unknownUserID, "The user is unknown.")

    /// The request that `app` polls for.
    ///
    /// - Throws: ``Refusal`` `codeRefused` if `text` is missing or was not given to this app. `authorizationRefused` if
    ///   the request expired.
    func open(_ text: String?, of app: App, now: NumericDate) throws(Refusal) -> Asked {
        guard let asked: Asked = text.flatMap({ sealer.open($0, for: app.id) }) else { throw .codeRefused }
        guard now <= asked.expiresAt + RemoteLogin.continuationTime else {
            throw .authorizationRefused(.expiredToken, "The request has expired.")
        }
        return asked
    }
}
