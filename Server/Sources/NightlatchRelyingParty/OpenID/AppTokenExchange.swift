import CoreMetrics
import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// The token endpoint for registered apps: exchanges codes and refresh tokens, and answers polls
/// ([RFC 6749, sections 4.1.3 and 6](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3)).
package struct AppTokenExchange: Sendable {
    private let context: AppContext
    private let backchannel: BackchannelRequests

    package init(in context: AppContext, backchannel: BackchannelRequests) {
        self.context = context
        self.backchannel = backchannel
    }

    /// A request to the token endpoint by an authenticated app.
    package struct Request: Sendable {
        let app: App
        let fields: [String: String]
        let proofs: [String]
        /// The path that the proof must be for.
        let path: String

        package init(app: App, fields: [String: String], proofs: [String], path: String) {
            self.app = app
            self.fields = fields
            self.proofs = proofs
            self.path = path
        }
    }

    /// Whether the request is by an app, and not by one of the relying party's own devices.
    ///
    /// A refresh token of neither kind counts as an app's if the request has an app's credentials or names a registered
    /// app.
    package func isByApp(_ fields: [String: String], hasCredentials: Bool) async throws(Refusal) -> Bool {
        switch fields["grant_type"] {
        case "authorization_code", BackchannelRequests.grantType: return true
        case "refresh_token":
            guard let text = fields["refresh_token"], RefreshToken(rawValue: text).flatMap(FamilyToken.init) == nil
            else { return false }
            if hasCredentials || context.refreshTokens.token(text) != nil { return true }
            guard let id = fields["client_id"].flatMap(ClientID.init) else { return false }
            let app = try await answer { () async throws(RelyingPartyStoreError) in
                try await context.apps.app(id, now: context.clock.now())
            }
            return app != nil
        default: return false
        }
    }

    /// Exchanges the code or the refresh token of the request.
    ///
    /// If the response to a refresh is lost, the app may present the same token again. If the response to a code is
    /// lost, the user's session gives another code; presenting the same one again revokes its grant.
    package func exchange(_ request: Request) async throws(Refusal) -> AppTokens {
        switch request.fields["grant_type"] {
        case "authorization_code": try await redeem(request)
        case "refresh_token": try await refresh(request)
        case BackchannelRequests.grantType: try await poll(request)
        case nil: throw .malformed(detail: "The form has no grant type.")
        default: throw .authorizationRefused(.unsupportedGrantType, "This grant type is not supported.")
        }
    }

    private func redeem(_ request: Request) async throws(Refusal) -> AppTokens {
        let (app, fields, now) = (request.app, request.fields, context.clock.now())
        let possessionKey = try possessionKey(of: request, now: now)
        guard fields["code"] != nil else { throw .malformed(detail: "The form has no code.") }
        guard let code = fields["code"].flatMap(Challenge.init),
            let uri = fields["redirect_uri"].flatMap(RedirectURI.init), app.permits(uri)
        else { throw .codeRefused }
        // The issuer is fetched before anything is written: after the commit as little as possible may fail.
        let issuer = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.keys.issuer(now: now)
        }
        let redemption = CodeRedemption(
            code: AuthorizationCodeHash(code),
            by: .init(
                client: app.id, redirectURI: uri, challenge: try Self.challenge(of: fields["code_verifier"]),
                possessionKey: possessionKey),
            grant: .random(), hasRefreshToken: app.refreshTokenLife != nil, life: Self.life(of: app))
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.redeemAuthorizationCode(redemption)
        }
        guard case .granted(let grant, let nonce) = outcome else { throw .codeRefused }
        return try await tokens(of: grant, app: app, nonce: nonce, by: issuer, now: now)
    }

    private func refresh(_ request: Request) async throws(Refusal) -> AppTokens {
        let (app, now) = (request.app, context.clock.now())
        let possessionKey = try possessionKey(of: request, now: now)
        guard let token = request.fields["refresh_token"].flatMap(context.refreshTokens.token),
            app.refreshTokenLife != nil
        else { throw .refreshTokenRefused }
        let issuer = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.keys.issuer(now: now)
        }
        let refresh = GrantRefresh(
            grant: token.grant, generation: token.generation, client: app.id, possessionKey: possessionKey,
            life: Self.life(of: app))
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.refreshAppGrant(refresh)
        }
        guard case .refreshed(let grant) = outcome else { throw .refreshTokenRefused }
        CeremonyMetrics.refreshes.increment()
        return try await tokens(of: grant, app: app, nonce: nil, by: issuer, now: now)
    }

    /// Asks whether the user has confirmed the request of ``BackchannelRequests``
    /// ([CIBA, section
    /// 10.1](https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html#token_request)).
    ///
    /// If the response with the tokens is lost, the app begins again.
    private func poll(_ request: Request) async throws(Refusal) -> AppTokens {
        let (app, now) = (request.app, context.clock.now())
        let possessionKey = try possessionKey(of: request, now: now)
        let asked = try backchannel.open(request.fields["auth_req_id"], of: app, now: now)
        let known = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.remoteLogin(asked.login)
        }
        switch known?.state {
        case .pending: throw .authorizationRefused(.authorizationPending, "The user has not decided yet.")
        case .rejected: throw .authorizationRefused(.accessDenied, "The user rejected the request.")
        case .expired: throw .authorizationRefused(.expiredToken, "The user did not decide in time.")
        case .confirmed: break
        case .completed, .contested, .numberWrong, nil: throw .codeRefused
        }
        let issuer = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.keys.issuer(now: now)
        }
        let completion = RemoteLoginCompletion(
            login: asked.login, session: JourneyToken.random().hash, sessionLife: app.accessTokenLife,
            scopes: app.scopes.filter(asked.scopes.contains), possessionKey: possessionKey,
            access: .grant(.random(), hasRefreshToken: app.refreshTokenLife != nil, life: Self.life(of: app)))
        let outcome = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.completeRemoteLogin(completion)
        }
        guard case .grant(let grant) = outcome else { throw .codeRefused }
        CeremonyMetrics.remoteLogins.increment()
        return try await tokens(of: grant, app: app, nonce: nil, by: issuer, now: now)
    }

    /// The key of the request's proof. An app with DPoP-bound tokens must send one.
    private func possessionKey(of request: Request, now: NumericDate) throws(Refusal) -> KeyID? {
        guard request.app.tokenKind == .dpop || !request.proofs.isEmpty else { return nil }
        do {
            return try context.proofs.verify(
                request.proofs, expecting: .init(method: "POST", path: request.path), now: now
            ).key
        } catch {
            throw Refusal(error)
        }
    }

    /// The grant must live at least as long as its access token.
    private static func life(of app: App) -> Duration { max(app.refreshTokenLife ?? .zero, app.accessTokenLife) }

    /// The challenge of a verifier ([RFC 7636, section 4.6](https://www.rfc-editor.org/rfc/rfc7636#section-4.6)).
    private static func challenge(of verifier: String?) throws(Refusal) -> CodeChallenge? {
        guard let verifier else { return nil }
        guard (43...128).contains(verifier.utf8.count),
            let challenge = CodeChallenge(bytes: SHA256.digest(of: Array(verifier.utf8)).bytes)
        else { throw .codeRefused }
        return challenge
    }

    /// Signs the tokens of a grant that was just recorded.
    ///
    /// If the user's profile cannot be read, this throws as if the response had been lost. A refresh can be repeated
    /// for a minute. An authorization code or `auth_req_id` cannot: the app begins again.
    private func tokens(
        of grant: AppGrant, app: App, nonce: String?, by issuer: TokenIssuer, now: NumericDate
    ) async throws(Refusal) -> AppTokens {
        let life = app.accessTokenLife
        // An operator may have taken scopes away since.
        let scopes = grant.authorization.scopes.filter(app.scopes.contains)
        var user: UserInformation?
        if scopes.contains(.openID) {
            user = try await answer { () async throws(RelyingPartyStoreError) in
                try await UserInformation(of: grant.authorization.user, for: scopes, in: context.store)
            }
        }
        do {
            let claims = AppTokenClaims(grant, scopes: scopes, issuer: issuer.relyingParty, now: now, life: life)
            let accessToken = try issuer.sign(claims, now: now)
            var idToken: String?
            if let user {
                let hash = Base64URL.encode(SHA256.digest(of: Array(accessToken.utf8)).bytes.prefix(16))
                idToken = try issuer.sign(
                    IDTokenClaims(
                        grant, of: user, issuer: issuer.relyingParty, nonce: nonce, accessTokenHash: hash, now: now,
                        life: life),
                    now: now)
            }
            return AppTokens(
                accessToken: accessToken, isBound: grant.authorization.possessionKey != nil,
                expiresInSeconds: Int(life.components.seconds),
                refreshToken: grant.generation == 0
                    ? nil
                    : context.refreshTokens.text(of: AppRefreshToken(grant: grant.id, generation: grant.generation)),
                idToken: idToken, scopes: scopes)
        } catch {
            throw .internalError
        }
    }
}

/// The tokens of an app ([RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)).
package struct AppTokens: Encodable, Hashable, Sendable {
    let accessToken: String
    /// Whether the access token is bound to a key.
    let isBound: Bool
    let expiresInSeconds: Int
    let refreshToken: String?
    let idToken: String?
    let scopes: [AppScope]

    package func encode(to encoder: any Encoder) throws {
        var members = JSONObjectWriter(encoder)
        try members.add("access_token", accessToken)
        try members.add("expires_in", expiresInSeconds)
        if let idToken { try members.add("id_token", idToken) }
        if let refreshToken { try members.add("refresh_token", refreshToken) }
        try members.add("scope", scopes.text)
        try members.add("token_type", isBound ? "DPoP" : "Bearer")
    }
}
