import Crypto
import NightlatchTokenVerification
import NightlatchWire

/// Turns a session and a registered app into an authorization code.
package struct AuthorizationCeremony: Sendable {
    private let context: AppContext
    /// The names of the served journeys.
    private let journeys: Set<String>

    package init(in context: AppContext, journeys: JourneyConfiguration?) {
        self.context = context
        self.journeys = journeys.map { Set($0.journeys.keys) } ?? []
    }

    /// Answers an authorization request.
    ///
    /// Writes only if it issues a code. A request that names no registered app, or a redirect URI of another app, is
    /// refused and gets no redirect ([RFC 9700, section
    /// 4.11](https://www.rfc-editor.org/rfc/rfc9700#section-4.11)).
    ///
    /// - Parameters:
    ///   - fields: The parameters of the query or form.
    ///   - session: The presented session token, if any.
    package func authorize(
        _ fields: [String: String], session: String?
    ) async throws(Refusal) -> AuthorizationAnswer {
        let now = context.clock.now()
        let app = try await app(in: fields, now: now)
        let fields = try context.pushed.open(fields, of: app, at: now)
        let target = try Self.target(in: fields, of: app)
        let request: AuthorizationRequest
        do {
            request = try AuthorizationRequest(fields, app: app, target: target)
        } catch {
            return AuthorizationAnswer(error, to: target, from: context.issuer)
        }
        guard let code = try await issue(for: request, session: session.flatMap(JourneyToken.init), now: now) else {
            return AuthorizationAnswer(Self.loginRequired, to: target, from: context.issuer)
        }
        return AuthorizationAnswer([("code", code)], to: target, from: context.issuer)
    }

    /// Checks a request as ``authorize(_:session:)`` does, without a session, and seals it into a URI for a minute
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
        for request: AuthorizationRequest, session token: JourneyToken?, now: NumericDate
    ) async throws(Refusal) -> String? {
        guard let token else { return nil }
        let found = try await answer { () async throws(RelyingPartyStoreError) in
            try await context.store.journeySession(token.hash)
        }
        guard let session = found, request.isSatisfied(by: session, journeys: journeys, at: now) else { return nil }
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

extension StoredHash where Subject == AuthorizationCodeSubject {
    /// The hash of a code.
    init(_ code: Challenge) { self.init(SHA256.digest(of: Array(code.rawValue.utf8)).bytes) }
}
