import HTTPTypes
import Hummingbird
import NightlatchWire

/// The OAuth routes: giving tokens, ending logins, and telling the backend what a token is worth.
struct TokenRoutes<Store: RelyingPartyStore> {
    let login: LoginCeremony<Store>
    let refresh: RefreshExchange<Store>
    let revocation: TokenRevocation<Store>
    let inspection: TokenInspection<Store>
    let backend: BackendAccess
    let nonces: NonceSource
    let refusals: RefusalTally

    func add<Context: RemoteAddressRequestContext>(
        to router: some RouterMethods<Context>,
        limits: ConcurrencyLimit<Context>,
        _ addressLimit: AddressLimit<Context>
    ) {
        addProvedRoutes(
            to: router.group().add(middleware: NonceAnswers<Context>(source: nonces))
                .add(middleware: RefusalAnswers<Context>(form: .oauth, tally: refusals))
                .add(middleware: limits).add(middleware: addressLimit))
        let (inspection, backend) = (inspection, backend)
        let oauth = router.group().add(middleware: RefusalAnswers<Context>(form: .oauth, tally: refusals))
            .add(middleware: limits)
        oauth.post(RouterPath(Route.introspectToken.path)) { request, context in
            try backend.admit(request)
            let text = try PresentedToken.text(in: await request.form().fields)
            return try JSONAnswer(await inspection.inspect(text)).response(from: request, context: context)
        }
    }

    /// Those that a device calls, with a proof.
    private func addProvedRoutes<Context: RequestContext>(to oauth: some RouterMethods<Context>) {
        let (login, refresh, revocation) = (login, refresh, revocation)
        oauth.post(RouterPath(Route.token.path)) { request, context in
            let proofs = request.dpopProofs
            let grant: TokenGrant
            switch try TokenRequest(fields: await request.form().fields) {
            case .login(let assertion, let handle):
                grant = try await login.finish(assertion: assertion, handle: handle, proofs: proofs)
            case .refresh(let token):
                grant = try await refresh.exchange(token, proofs: proofs)
            }
            return try JSONAnswer(grant).response(from: request, context: context)
        }
        oauth.post(RouterPath(Route.revokeToken.path)) { request, _ in
            let text = try PresentedToken.text(in: await request.form().fields)
            try await revocation.revoke(text, proofs: request.dpopProofs)
            return Response(status: .ok)
        }
    }
}
