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
    let backend: BackendAccess
    let nonces: NonceSource
    let refusals: RefusalTally

    func add(to routes: RouteGroup, limits: ConcurrencyLimit, _ addressLimit: AddressLimit) {
        let routes = routes.passing(TokenAnswers())
        addProvedRoutes(
            to: routes.passing(NonceAnswers(source: nonces)).passing(RefusalAnswers(form: .oauth, tally: refusals))
                .passing(limits).passing(addressLimit))
        let (inspection, backend) = (inspection, backend)
        let oauth = routes.passing(RefusalAnswers(form: .oauth, tally: refusals)).passing(limits)
        oauth.on(.introspectToken) { request, context in
            try backend.admit(request, context)
            let text = try PresentedToken.text(in: context.form(of: request).fields)
            return JSONAnswer(try await inspection.inspect(text))
        }
    }

    /// Adds the routes that a device calls with a proof.
    private func addProvedRoutes(to routes: RouteGroup) {
        let (login, refresh, revocation) = (login, refresh, revocation)
        routes.on(.token) { request, context in
            let proofs = request.dpopProofs
            let grant: TokenGrant
            switch try TokenRequest(fields: context.form(of: request).fields) {
            case .login(let assertion, let handle):
                grant = try await login.finish(assertion: assertion, handle: handle, proofs: proofs)
            case .refresh(let token):
                grant = try await refresh.exchange(token, proofs: proofs)
            }
            return JSONAnswer(grant)
        }
        routes.on(.revokeToken) { request, context in
            let text = try PresentedToken.text(in: context.form(of: request).fields)
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
