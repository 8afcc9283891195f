import Hummingbird
import NightlatchWire

/// The beginning of a login. Its end is a grant of ``TokenRoutes``.
struct LoginRoutes<Store: RelyingPartyStore> {
    let login: LoginCeremony<Store>
    let nonces: NonceSource

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let login = login
        // The next request is for tokens and needs a nonce: here it costs no round trip.
        let router = router.group().add(middleware: NonceAnswers<Context>(source: nonces))
        router.serve(.beginLogin) { request, _ throws(Refusal) in
            try login.begin(await request.message())
        }
    }
}
