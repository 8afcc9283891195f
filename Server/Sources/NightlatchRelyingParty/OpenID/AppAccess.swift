import NightlatchTokenVerification
package import NightlatchWire

/// Reads the tokens of apps: for user information, introspection, revocation and the end of a session.
package struct AppAccess: Sendable {
    private let context: AppContext

    package init(in context: AppContext) { self.context = context }

    /// A request with an access token.
    package struct Request: Sendable {
        let token: String?
        /// Whether the token was sent with the scheme DPoP.
        let isBound: Bool
        let proofs: [String]
        let method: String
        let path: String

        package init(token: String?, isBound: Bool, proofs: [String], method: String, path: String) {
            self.token = token
            self.isBound = isBound
            self.proofs = proofs
            self.method = method
            self.path = path
        }
    }

    /// The claims about the user
    /// ([OpenID Connect Core, section 5.3](https://openid.net/specs/openid-connect-core-1_0.html#UserInfo)).
    ///
    /// - Throws: ``Refusal`` `accessTokenRefused` if the token is missing, invalid, expired or revoked, and if it is
    ///   bound to a key and sent as a bearer token: the app refreshes its tokens. Also if it is a bearer token and the
    ///   app's record now demands DPoP. Then a refresh is refused too: the app begins again, and sends a proof when it
    ///   asks for tokens. `dpopProofRefused` and `dpopNonceRequired` if the token comes without a proof by its key.
    ///   `scopeInsufficient` if the app did not ask for `openid`, or its record no longer permits it.
    package func userInformation(for request: Request) async throws(Refusal) -> UserInformation {
        guard let token = request.token else { throw .accessTokenRefused(.missing) }
        let claims = try await claims(of: token)
        if let key = claims.possessionKey {
            guard request.isBound, let token = AccessToken(rawValue: token) else {
                throw .accessTokenRefused(.keyReplaced)
            }
            do {
                _ = try context.proofs.verify(
                    request.proofs,
                    expecting: .init(method: request.method, path: request.path, accessToken: token, key: key),
                    now: context.clock.now())
            } catch {
                throw Refusal(error)
            }
        } else if request.isBound {
            throw .accessTokenRefused(.keyReplaced)
        }
        guard let live = try await live(claims.grant, of: claims.id) else { throw .accessTokenRefused(.sessionEnded) }
        // An operator may have taken scopes away since.
        let scopes = claims.scopes.filter(live.app.scopes.contains)
        guard scopes.contains(.openID) else { throw .scopeInsufficient }
        return try await answer { () async throws(RelyingPartyStoreError) in
            try await UserInformation(of: claims.subject, for: scopes, in: context.store)
        }
    }

    /// Whether `text` is an access token or a refresh token of an app, live or not.
    package func isTokenOfApp(_ text: String) async -> Bool {
        guard context.refreshTokens.token(text) == nil else { return true }
        return await context.verified(AppTokenClaims.self, text) != nil
    }

    /// Revokes a token of `app` ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)). Idempotent.
    ///
    /// For a refresh token, the whole grant is revoked; for an access token, only the token. A text that is not a token
    /// of this app counts as already revoked.
    package func revoke(_ text: String, of app: App) async throws(Refusal) {
        if let token = context.refreshTokens.token(text) {
            return try await answer { () async throws(RelyingPartyStoreError) in
                try await context.store.revokeAppGrant(token.grant, of: app.id)
            }
        }
        guard let claims = await context.verified(AppTokenClaims.self, text), claims.clientID == app.id else { return }
        try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.revokeAppToken(claims.id, until: claims.expiresAt, of: claims.grant)
        }
    }

    /// The state of a token of an app ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)); nil if the text is no valid
    /// token of an app.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - client: The app that asks; nil for the backend. An app learns nothing about another app's refresh tokens,
    ///     because no resource server gets them.
    package func inspect(_ text: String, by client: ClientID?) async throws(Refusal) -> AppTokenIntrospection? {
        if let token = context.refreshTokens.token(text) {
            guard let live = try await live(token.grant, of: nil), live.app.refreshTokenLife != nil,
                live.grant.accepts(token.generation, at: context.clock.now()), client ?? live.app.id == live.app.id
            else { return nil }
            return AppTokenIntrospection(.refresh(live.grant, issuer: context.issuer))
        }
        do {
            let claims = try await claims(of: text)
            return try await live(claims.grant, of: claims.id) == nil ? nil : AppTokenIntrospection(.access(claims))
        } catch {
            guard case .accessTokenRefused = error else { throw error }
            return nil
        }
    }

    /// Ends the session that an ID token names, and no other
    /// ([OpenID Connect RP-Initiated Logout](https://openid.net/specs/openid-connect-rpinitiated-1_0.html)).
    ///
    /// An expired ID token is accepted, because users sign out long after they signed in: as long as its signing key is
    /// published, which is longer than a session lives. Ends nothing if the request names another app or an address
    /// that the app has not registered.
    ///
    /// - Throws: ``Refusal`` `malformed` or `redirectURIRefused`; the app shows its own page.
    package func endSession(_ fields: [String: String]) async throws(Refusal) -> EndedSession {
        guard let hint = fields["id_token_hint"], let claims = await context.verified(IDTokenClaims.self, hint),
            claims.issuer == context.issuer, fields["client_id"] ?? claims.audience.rawValue == claims.audience.rawValue
        else { throw .malformed(detail: "The request needs the id_token_hint of a session of this server.") }
        var location: String?
        if let text = fields["post_logout_redirect_uri"] {
            let app = try await answer { () async throws(RelyingPartyStoreError) in
                try await context.apps.app(claims.audience, now: context.clock.now())
            }
            guard let uri = RedirectURI(rawValue: text), app?.logoutURIs.contains(uri) == true else {
                throw .redirectURIRefused
            }
            location = fields["state"].map { uri.adding([("state", $0)]) } ?? uri.rawValue
        }
        try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.endJourneySession(claims.session)
        }
        return EndedSession(session: claims.session, location: location)
    }

    /// A session that has ended.
    package struct EndedSession: Hashable, Sendable {
        let session: JourneySessionHash
        /// The address to which the browser is sent; nil for none.
        package let location: String?

        /// Whether `token` is the token of this session.
        package func isSession(of token: String) -> Bool { JourneyToken(token)?.hash == session }
    }

    /// A grant whose tokens are accepted, and its app.
    private struct LiveGrant: Hashable {
        let grant: AppGrant
        let app: App
    }

    /// The grant with its app; nil if it has ended, if the access token `token` of it was revoked, if the app was
    /// removed, or if its record now demands DPoP and the grant's tokens are bearer tokens.
    private func live(_ id: GrantID, of token: MessageID?) async throws(Refusal) -> LiveGrant? {
        try await answer { () async throws(RelyingPartyStoreError) in
            guard let grant = try await context.store.appGrant(id, of: token),
                let app = try await context.apps.app(grant.authorization.client, now: context.clock.now()),
                app.tokenKind == .bearer || grant.authorization.possessionKey != nil
            else { return nil }
            return LiveGrant(grant: grant, app: app)
        }
    }

    /// The claims of a valid access token of an app, whose grant may have ended.
    private func claims(of text: String) async throws(Refusal) -> AppTokenClaims {
        guard let claims = await context.verified(AppTokenClaims.self, text) else {
            throw .accessTokenRefused(.wrongSignature)
        }
        guard claims.issuer == context.issuer, claims.audience == context.issuer else {
            throw .accessTokenRefused(.notOurs)
        }
        guard claims.expiresAt > context.clock.now() else { throw .accessTokenRefused(.expired) }
        return claims
    }
}

/// The state of an app's valid token.
package struct AppTokenIntrospection: Encodable, Hashable, Sendable {
    private let token: Token

    enum Token: Hashable, Sendable {
        case access(AppTokenClaims)
        case refresh(AppGrant, issuer: Issuer)
    }

    init(_ token: Token) { self.token = token }

    package func encode(to encoder: any Encoder) throws {
        switch token {
        case .access(let claims):
            try claims.encode(to: encoder)
            var members = JSONObjectWriter(encoder)
            try members.add("active", true)
            try members.add("token_type", claims.possessionKey == nil ? "Bearer" : "DPoP")
            try members.add("username", claims.subject)
        case .refresh(let grant, let issuer):
            var members = JSONObjectWriter(encoder)
            try members.add("active", true)
            try members.add("client_id", grant.authorization.client)
            try members.add("exp", grant.expiresAt)
            try members.add("iss", issuer)
            try members.add("scope", grant.authorization.scopes.text)
            try members.add("sub", grant.authorization.user)
            try members.add("username", grant.authorization.user)
        }
    }
}
