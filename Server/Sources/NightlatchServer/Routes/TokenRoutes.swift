import HTTPTypes
import Hummingbird
import NightlatchWire

/// The token endpoint and the keys that its tokens are verified with.
struct TokenRoutes<Store: RelyingPartyStore> {
    let login: LoginCeremony<Store>
    let refresh: RefreshExchange<Store>
    let keys: JWKSet

    func add<Context: RemoteAddressRequestContext>(
        to router: some RouterMethods<Context>,
        limits: ConcurrencyLimit<Context>,
        _ addressLimit: AddressLimit<Context>
    ) {
        let (login, refresh) = (login, refresh)
        let oauth = router.group().add(middleware: RefusalAnswers<Context>(form: .oauth))
            .add(middleware: limits).add(middleware: addressLimit)
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
        let keys = keys
        router.get(RouterPath(Route.jwks.path)) { request, context in
            var response = try JSONAnswer(keys).response(from: request, context: context)
            response.headers[.cacheControl] = "public, max-age=300"
            return response
        }
    }
}
