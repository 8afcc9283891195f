internal import Foundation
internal import Nightlatch
internal import NightlatchWire

/// The tokens of one client at one server.
///
/// An answer of the server removes nothing: a refusal, a failure or a proxy's page leaves the stored tokens and the
/// session as they are. New tokens replace stored ones. The app removes tokens when it revokes them, or when it deletes
/// the session of a later login.
final class OidcClient: Sendable {
    /// The outcome of an operation: tokens, an error, or neither if there was nothing to revoke.
    struct Outcome: Sendable {
        var token: Token?
        /// Whether the operation renewed the tokens.
        var isNew = false
        var error: OidcError?

        var result: Result<Token, OidcError> {
            if let token, error == nil { return .success(token) }
            return .failure(error ?? .unknown(message: "There are no tokens."))
        }
    }

    private let config: OidcClientConfig
    private let settings: OidcClientConfig.Settings
    private let tokens: TokenKeeper
    private let sessions: SessionKeeper
    private let server: OidcServer
    private let logger: (any JourneyLogger)?
    private let operations: SharedOperations<Outcome>
    private let discovery = Locked<Task<Result<OpenIdConfiguration, OidcError>, Never>?>(nil)
    /// The last profile, and the number of its login.
    private let profile = Locked<(login: Int, claims: JSONObject)?>(nil)

    init(
        _ config: OidcClientConfig,
        storage: any Storage<Token>,
        sessions: SessionKeeper,
        transport: OidcTransport,
        logger: (any JourneyLogger)?
    ) {
        self.config = config
        settings = config.settings
        self.sessions = sessions
        operations = SharedOperations(isQueued: settings.isQueued)
        server = OidcServer(transport: transport)
        self.logger = settings.logger ?? logger
        tokens = TokenKeeper(storage: storage, logger: self.logger)
    }

    /// Returns valid tokens; see ``User/token()``.
    ///
    /// - Parameter login: The number of the user's login.
    func token(login: Int) async -> Result<Token, OidcError> {
        // It does not join a refresh: if the refresh fails, the stored tokens may still be valid.
        await operations.run(.token(login: login), joining: .token(login: login)) { _ in
            await self.outcome { try await self.valid(session: try await self.session(of: login)) }
        }.result
    }

    /// Returns new tokens; see ``User/refresh()``.
    func refresh(login: Int) async -> Result<Token, OidcError> {
        await operations.run(.refresh(login: login), joining: .refresh(login: login)) { previous in
            await self.outcome {
                let session = try await self.session(of: login)
                // Tokens that were renewed while this call waited are new enough.
                if let previous, previous.isNew, let token = previous.token, self.tokens.isFor(session, token) {
                    return previous
                }
                return try await self.renewed(session: session)
            }
        }.result
    }

    /// Whether there are tokens that can be used without a session. Throws if the storage cannot be read.
    func hasTokens() async throws -> Bool { try await tokens.hasTokens() }

    /// Revokes the tokens at the server and removes them here. Tokens of another login stay.
    ///
    /// - Parameters:
    ///   - always: Whether the tokens are removed even if the server does not revoke them. They are then removed first.
    ///   - login: The user's login.
    /// - Returns: The reason why the tokens could not be revoked or removed.
    func revoke(always: Bool, of login: JourneyLogin) async -> OidcError? {
        let outcome = await operations.run(.revocation, joining: nil) { _ in
            await self.outcome {
                Outcome(error: try await self.revokeStored(of: login, always: always))
            }
        }
        if let error = outcome.error { logger?.w("the tokens were not revoked", error: error) }
        return outcome.error
    }

    /// Stops the use of tokens that are of another session than `session`, which the app has deleted.
    ///
    /// They are removed here behind the operations that run now. This call does not wait for that: an operation may
    /// wait for the server.
    func sessionWasDeleted(_ session: String) {
        tokens.sessionWasDeleted(session)
        Task {
            let outcome = await operations.run(.revocation, joining: nil) { _ in
                await self.outcome {
                    // A later login replaces the tokens.
                    guard try await self.sessions.current().token == nil, let token = try await self.tokens.stored(),
                        !self.tokens.isFor(nil, token)
                    else { return Outcome() }
                    try await self.forget()
                    return Outcome()
                }
            }
            if let error = outcome.error { logger?.w("tokens of an earlier session were not removed", error: error) }
        }
    }

    /// Returns the user's claims; see ``User/userinfo(cache:)``.
    func userinfo(cache: Bool, login: Int) async -> Result<UserInfo, OidcError> {
        let token: Token
        switch await self.token(login: login) {
        case .success(let valid): token = valid
        case .failure(let error): return .failure(error)
        }
        // A profile of an earlier login may be that of another user.
        if cache, let known = profile.withLock({ $0 }), known.login == login {
            return .success(known.claims.sendable)
        }
        let result = await profile(with: token, login: login)
        // The server may end an access token before its time.
        guard case .failure(.apiError(401, _)) = result else { return result }
        switch await tokens(after: token, login: login) {
        case .success(let newer): return await profile(with: newer, login: login)
        case .failure(let error): return .failure(error)
        }
    }

    /// Returns tokens that are newer than those that the server refused.
    private func tokens(after refused: Token, login: Int) async -> Result<Token, OidcError> {
        if case .success(let token) = await token(login: login), token.accessToken != refused.accessToken {
            return .success(token)
        }
        return await refresh(login: login)
    }

    private func profile(with token: Token, login: Int) async -> Result<UserInfo, OidcError> {
        do throws(OidcError) {
            let endpoints = try await endpoints()
            let answer = try await server.userinfo(token.accessToken, at: endpoints.userinfoEndpoint)
            if let subject = token.idToken.flatMap(IDTokenClaims.init)?.subject, answer["sub"]?.string != subject {
                throw .foreign("The profile is about another user.")
            }
            profile.withLock { $0 = (login, answer) }
            return .success(answer.sendable)
        } catch {
            return .failure(error)
        }
    }

    private func outcome(_ work: () async throws -> Outcome) async -> Outcome {
        do {
            return try await work()
        } catch {
            return Outcome(error: Self.oidcError(error))
        }
    }

    /// Returns the session with which a user's tokens can be renewed. Nil without one.
    ///
    /// Only operations call this. A session that ended while an operation waited is not used any more.
    ///
    /// - Throws: If another login has replaced the user's login, or if the storage of the session cannot be read.
    private func session(of login: Int) async throws -> String? {
        let current = try await sessions.current()
        guard current.number == login else {
            throw OidcError.noSession("Another login has replaced this user's login.")
        }
        return current.token
    }

    private func revokeStored(of login: JourneyLogin, always: Bool) async throws -> OidcError? {
        var failure: OidcError?
        var token: Token?
        do {
            token = try await tokens.stored()
        } catch {
            guard always else { throw error }
            failure = Self.oidcError(error)
        }
        // A later login may have got tokens since.
        let isOwn = token?.session != nil && token?.session == login.token.map(TokenKeeper.fingerprint)
        guard isOwn || login.number == sessions.login else { return failure }
        if !always, let token { try await revoke(token) }
        do {
            try await forget()
        } catch {
            guard always else { throw error }
            failure = failure ?? Self.oidcError(error)
        }
        guard always, let token else { return failure }
        do throws(OidcError) {
            try await revoke(token)
        } catch {
            failure = failure ?? error
        }
        return failure
    }

    /// Removes the tokens here. They are not used any more, even if they cannot be deleted now.
    private func forget() async throws {
        profile.withLock { $0 = nil }
        try await tokens.delete()
    }

    private static func oidcError(_ error: any Error) -> OidcError { error as? OidcError ?? .unknown(cause: error) }

    private func valid(session: String?) async throws -> Outcome {
        guard let token = try await tokens.stored(), tokens.isFor(session, token) else {
            return try await authorized(session: session)
        }
        guard token.isExpired(threshold: settings.refreshThreshold, at: settings.now()) else {
            return Outcome(token: token)
        }
        do {
            return try await renewed(token, session: session)
        } catch {
            // Renewed early, and there is time to try again.
            guard !token.isExpired(threshold: 0, at: settings.now()) else { throw error }
            logger?.w("the tokens could not be renewed before their end", error: error)
            return Outcome(token: token)
        }
    }

    private func renewed(session: String?) async throws -> Outcome {
        guard let token = try await tokens.stored(), tokens.isFor(session, token) else {
            return try await authorized(session: session)
        }
        return try await renewed(token, session: session)
    }

    private func renewed(_ token: Token, session: String?) async throws -> Outcome {
        guard let refreshToken = token.refreshToken else { return try await authorized(session: session) }
        let endpoints = try await endpoints()
        let reply = try await server.tokens(
            [("grant_type", "refresh_token"), ("refresh_token", refreshToken), ("client_id", settings.clientId)],
            at: endpoints.tokenEndpoint)
        guard case .tokens(let answer) = reply else {
            // Another process may have renewed the tokens, and stored them.
            if let current = try await tokens.stored(), current.refreshToken != refreshToken,
                tokens.isFor(session, current),
                !current.isExpired(threshold: 0, at: settings.now())
            {
                return Outcome(token: current, isNew: true)
            }
            return try await authorized(session: session)
        }
        if let idToken = answer.idToken {
            let earlier = token.idToken.flatMap(IDTokenClaims.init)
            try check(idToken, nonce: nil, from: endpoints, earlier: earlier)
        }
        let new = Token(answer, at: settings.now(), session: nil, earlier: token)
        await tokens.save(new)
        return Outcome(token: new, isNew: true)
    }

    /// Gets tokens with the session.
    private func authorized(session: String?) async throws -> Outcome {
        guard let session else { throw OidcError.noSession("Please start Journey to authenticate.") }
        guard !settings.clientId.isEmpty, !settings.redirectUri.isEmpty else {
            throw OidcError.unknown(message: "The client id or the redirect URI is missing.")
        }
        let before = try await tokens.stored()
        let endpoints = try await endpoints()
        let trusted = [server.transport.sessionServer, settings.discoveryEndpoint].compactMap { SafeURL($0)?.origin }
        guard let target = SafeURL(endpoints.authorizationEndpoint), trusted.contains(target.origin),
            let request = AuthorizationRequest(settings, at: endpoints)
        else {
            throw OidcError.authorizeError(
                cause: AuthorizationFault.untrusted, message: "The session may not be sent to this server.")
        }
        let code = try request.code(in: try await server.authorize(request, session: session))
        let answer = try await server.tokens(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.redirectUri),
                ("client_id", settings.clientId), ("code_verifier", request.verifier),
            ], at: endpoints.tokenEndpoint
        ).get()
        if let idToken = answer.idToken { try check(idToken, nonce: request.nonce, from: endpoints) }
        let new = Token(answer, at: settings.now(), session: TokenKeeper.fingerprint(session), earlier: nil)
        await tokens.save(new)
        if let before, !tokens.isFor(session, before) { await revokeQuietly(before) }
        return Outcome(token: new, isNew: true)
    }

    private func check(
        _ idToken: String,
        nonce: String?,
        from server: OpenIdConfiguration,
        earlier: IDTokenClaims? = nil
    ) throws(OidcError) {
        guard
            IDTokenClaims(idToken)?.isExpected(
                issuer: server.issuer, client: settings.clientId, nonce: nonce, earlier: earlier) == true
        else { throw .foreign("The ID token is for another client, user or request.") }
    }

    private func revoke(_ token: Token) async throws(OidcError) {
        try await server.revoke(
            token.refreshToken ?? token.accessToken, client: settings.clientId,
            at: try await endpoints().revocationEndpoint)
    }

    /// Revokes tokens that are not stored any more.
    private func revokeQuietly(_ token: Token) async {
        do {
            try await revoke(token)
        } catch {
            logger?.w("the tokens of an earlier session were not revoked", error: error)
        }
    }

    /// Returns the server's endpoints. The discovery document is read once; a failed attempt is not kept.
    private func endpoints() async throws(OidcError) -> OpenIdConfiguration {
        if let known = config.openId { return known }
        guard let url = SafeURL(settings.discoveryEndpoint)?.url else { throw .unusable(settings.discoveryEndpoint) }
        let task = discovery.withLock { running in
            if let running { return running }
            let task = Task { () -> Result<OpenIdConfiguration, OidcError> in
                let result: Result<OpenIdConfiguration, OidcError>
                do throws(OidcError) {
                    // Another task may have read the document since the caller looked.
                    if self.config.openId == nil { self.config.openId = try await self.server.discover(url) }
                    guard let document = self.config.openId else { throw .unusable(self.settings.discoveryEndpoint) }
                    result = .success(document)
                } catch {
                    result = .failure(error)
                }
                self.discovery.withLock { $0 = nil }
                return result
            }
            running = task
            return task
        }
        return try await task.value.get()
    }
}
