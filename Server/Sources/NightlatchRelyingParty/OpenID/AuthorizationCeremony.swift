import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// Turns a session and a registered app into an authorization code.
package struct AuthorizationCeremony: Sendable {
    private let context: AppContext
    /// The context classes of this server: the names of the served journeys, and that of remote logins.
    private let contextClasses: Set<String>

    package init(in context: AppContext, journeys: JourneyConfiguration?) {
        self.context = context
        contextClasses = Set(journeys?.journeys.keys.map(\.self) ?? []).union([RemoteLogin.contextClass])
    }

    /// Answers an authorization request.
    ///
    /// Writes only if it issues a code. A request that names no registered app, or a redirect URI of another app, is
    /// refused and gets no redirect ([RFC 9700, section
    /// 4.11](https://www.rfc-editor.org/rfc/rfc9700#section-4.11)).
    ///
    /// - Parameters:
    ///   - fields: The parameters of the query or form.
    ///   - sessions: The presented session tokens. The first that is enough is used.
    package func authorize(
        _ fields: [String: String], sessions: [String]
    ) async throws(Refusal) -> AuthorizationStep {
        let now = context.clock.now()
        let app = try await app(in: fields, now: now)
        let fields = try context.pushed.open(fields, of: app, at: now)
        let target = try Self.target(in: fields, of: app)
        let request: AuthorizationRequest
        do {
            request = try await read(fields, app: app, target: target)
        } catch {
            return .answered(AuthorizationAnswer(error, to: target, from: context.issuer))
        }
        for token in sessions.compactMap(JourneyToken.init) {
            guard let code = try await issue(for: request, session: token, now: now) else { continue }
            return .answered(AuthorizationAnswer([("code", code)], to: target, from: context.issuer))
        }
        let answer = AuthorizationAnswer(Self.loginRequired, to: target, from: context.issuer)
        return request.forbidsAsking
            ? .answered(answer) : .loginRequired(WaitingAuthorization(request: request, fields: fields), answer)
    }

    /// Reads a request again that this ceremony answered with `loginRequired`.
    ///
    /// - Throws: ``Refusal`` if the app was removed, or no longer permits the request.
    func resume(_ fields: [String: String], of client: ClientID) async throws(Refusal) -> AuthorizationRequest {
        // A pushed request need not name the app again.
        let app = try await app(in: ["client_id": client.rawValue], now: context.clock.now())
        let target = try Self.target(in: fields, of: app)
        do {
            return try await read(fields, app: app, target: target)
        } catch {
            throw .authorizationRefused(error.word, error.description)
        }
    }

    /// Reads the parameters, and the user that an `id_token_hint` names.
    private func read(
        _ fields: [String: String], app: App, target: AuthorizationTarget
    ) async throws(AuthorizationError) -> AuthorizationRequest {
        var request = try AuthorizationRequest(fields, app: app, target: target)
        guard let hint = fields["id_token_hint"] else { return request }
        guard let claims = await context.verified(IDTokenClaims.self, hint), claims.issuer == context.issuer,
            claims.audience == app.id
        else { throw .init(.invalidRequest, "The id_token_hint is not an ID token of this app from this server.") }
        request.expectedUser = claims.subject
        return request
    }

    /// Checks a request as ``authorize(_:sessions:)`` does, without a session, and seals it into a URI for a minute
    /// ([RFC 9126](https://www.rfc-editor.org/rfc/rfc9126)).
    ///
    /// - Parameters:
    ///   - fields: The parameters.
    ///   - app: The app, authenticated.
    ///   - proofs: The DPoP proofs of the request. A proof binds the code to its key, as `dpop_jkt` does
    ///     ([RFC 9449, section 10.1](https://www.rfc-editor.org/rfc/rfc9449#section-10.1)).
    ///   - path: The path of the request.
    package func push(
        _ fields: [String: String], of app: App, proofs: [String], path: String
    ) throws(Refusal) -> PushedRequests.Receipt {
        guard fields["request_uri"] == nil else { throw .malformed(detail: "A pushed request has no request_uri.") }
        let now = context.clock.now()
        var fields = fields
        if !proofs.isEmpty {
            let key: KeyID
            do {
                key = try context.proofs.verify(proofs, expecting: .init(method: "POST", path: path), now: now).key
            } catch {
                throw Refusal(error)
            }
            guard fields["dpop_jkt"] ?? key.rawValue == key.rawValue else { throw .dpopProofRefused(.wrongKey) }
            fields["dpop_jkt"] = key.rawValue
        }
        let target = try Self.target(in: fields, of: app)
        do {
            _ = try AuthorizationRequest(fields, app: app, target: target)
        } catch {
            throw .authorizationRefused(error.word, error.description)
        }
        return try context.pushed.seal(fields, of: app, now: now)
    }

    private static let loginRequired = AuthorizationError(
        .loginRequired, "The user has no session that is enough for this request.")

    private func app(in fields: [String: String], now: NumericDate) async throws(Refusal) -> App {
        guard let id = fields["client_id"].flatMap(ClientID.init) else { throw .appUnknown }
        let app = try await answer { () async throws(RelyingPartyStoreError) in try await context.apps.app(id, now: now)
        }
        guard let app else { throw .appUnknown }
        return app
    }

    private static func target(
        in fields: [String: String], of app: App
    ) throws(Refusal) -> AuthorizationTarget {
        guard let uri = fields["redirect_uri"].flatMap(RedirectURI.init), app.permits(uri) else {
            throw .redirectURIRefused
        }
        let mode = fields["response_mode"].flatMap(AuthorizationTarget.Mode.init)
        return AuthorizationTarget(uri: uri, mode: mode ?? .query, state: fields["state"])
    }

    /// Issues a code; returns nil if the session is not live or not enough.
    private func issue(
        for request: AuthorizationRequest, session token: JourneyToken, now: NumericDate
    ) async throws(Refusal) -> String? {
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.journeySession(token.hash)
        }
        guard let session = found, request.isSatisfied(by: session, served: contextClasses, at: now) else { return nil }
        let code = Challenge.random()
        let record = AuthorizationCode(
            authorization: AppAuthorization(
                client: request.app.id, scopes: request.scopes, session: token.hash, of: session,
                possessionKey: request.possessionKey),
            redirectURI: request.target.uri, challenge: request.challenge, nonce: request.nonce)
        let isRecorded = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.recordAuthorizationCode(record, as: AuthorizationCodeHash(code))
        }
        return isRecorded ? code.rawValue : nil
    }
}

/// The result of an authorization request.
package enum AuthorizationStep: Sendable {
    case answered(AuthorizationAnswer)
    /// The user has no session that is enough. A server with a login page shows it; any other sends the answer.
    case loginRequired(WaitingAuthorization, AuthorizationAnswer)
}

/// An authorization request that waits until the user has logged in.
package struct WaitingAuthorization: Sendable {
    package let request: AuthorizationRequest
    /// The parameters of ``request``.
    let fields: [String: String]

    /// The parameters with which an app authenticates. They belong into no address.
    package static let secrets: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]
}

extension StoredHash where Subject == AuthorizationCodeSubject {
    /// The hash of a code.
    init(_ code: Challenge) { self.init(SHA256.digest(of: Array(code.rawValue.utf8)).bytes) }
}
