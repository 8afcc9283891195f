import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The OAuth routes: token, revocation and introspection.
struct TokenRoutes {
    let login: LoginCeremony
    let refresh: RefreshExchange
    let revocation: TokenRevocation
    let inspection: TokenInspection
    let exchange: AppTokenExchange
    let access: AppAccess
    let authenticator: AppAuthenticator
    let backend: BackendAccess
    let nonces: NonceSource
    let refusals: RefusalTally

    func add(to routes: RouteGroup, limits: ConcurrencyLimit, _ addressLimit: AddressLimit) {
        let routes = routes.passing(TokenAnswers())
        addProvedRoutes(
            to: routes.passing(NonceAnswers(source: nonces)).passing(RefusalAnswers(form: .oauth, tally: refusals))
                .passing(limits).passing(addressLimit))
        let (inspection, backend, access, authenticator) = (inspection, backend, access, authenticator)
        let oauth = routes.passing(RefusalAnswers(form: .oauth, tally: refusals)).passing(limits)
        oauth.on(.introspectToken) { request, context in
            if let fields = context.fieldsOfApp(request) {
                let app = try await authenticator.app(of: request, fields)
                return try await access.answer(toInspection: fields, by: app)
            }
            // Before the form is read: only the backend learns what is wrong with it.
            try await backend.admit(request, context, for: .tokensRead)
            let fields = try context.form(of: request).fields
            let text = try PresentedToken.text(in: fields)
            if let state = try await access.inspect(text, by: nil) { return Response(status: .ok, json: state) }
            return Response(status: .ok, json: try await inspection.inspect(text))
        }
    }

    /// Adds the routes that a device calls with a proof, and apps with their credentials.
    private func addProvedRoutes(to routes: RouteGroup) {
        let (login, refresh, revocation) = (login, refresh, revocation)
        let (exchange, access, authenticator) = (exchange, access, authenticator)
        routes.on(.token) { request, context in
            let (proofs, fields) = (request.dpopProofs, try context.form(of: request).fields)
            if try await exchange.isByApp(fields, hasCredentials: request.hasCredentials(fields)) {
                let app = try await authenticator.app(of: request, fields)
                let tokens = try await exchange.exchange(
                    .init(app: app, fields: fields, proofs: proofs, path: Route.token.path))
                return Response(status: .ok, json: tokens)
            }
            let grant: TokenGrant
            switch try TokenRequest(fields: fields) {
            case .login(let assertion, let handle, let policy):
                grant = try await login.finish(assertion: assertion, handle: handle, policy: policy, proofs: proofs)
            case .refresh(let token, let policy):
                grant = try await refresh.exchange(token, policy: policy, proofs: proofs)
            }
            return Response(status: .ok, json: grant)
        }
        routes.on(.revokeToken) { request, context in
            let fields = try context.form(of: request).fields
            let text = try PresentedToken.text(in: fields)
            // A device may name its app too, and always sends a proof.
            let isByApp =
                if request.dpopProofs.isEmpty { request.namesApp(fields) } else { await access.isTokenOfApp(text) }
            if isByApp {
                let app = try await authenticator.app(of: request, fields)
                try await access.revoke(text, of: app)
                return Response(status: .ok)
            }
            try await revocation.revoke(text, proofs: request.dpopProofs)
            return Response(status: .ok)
        }
    }
}

/// Keeps the answers of the OAuth routes out of HTTP/1.0 caches, which ignore `Cache-Control`.
private struct TokenAnswers: RouteStep {
    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        outcome.changeHeaders { $0[.pragma] = "no-cache" }
    }
}

extension Request {
    /// Whether the request has the id or the credentials of an app.
    fileprivate func namesApp(_ fields: [String: String]) -> Bool {
        fields["client_id"] != nil || hasCredentials(fields)
    }

    /// Whether the request has the credentials of an app.
    fileprivate func hasCredentials(_ fields: [String: String]) -> Bool {
        fields["client_assertion"] != nil || credentials(scheme: "Basic") != nil
    }
}

extension RelyingPartyRequestContext {
    /// The form of a request that names an app; nil for any other request.
    fileprivate func fieldsOfApp(_ request: Request) -> [String: String]? {
        guard request.credentials(scheme: "Bearer") == nil else { return nil }
        do {
            let fields = try form(of: request).fields
            return request.namesApp(fields) ? fields : nil
        } catch {
            return nil
        }
    }
}
