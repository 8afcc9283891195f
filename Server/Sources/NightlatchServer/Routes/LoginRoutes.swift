import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The beginning of a login. Its end is a grant of ``TokenRoutes``.
struct LoginRoutes {
    let login: LoginCeremony
    let nonces: NonceSource

    func add(to routes: RouteGroup) {
        let login = login
        // The next request is for tokens and needs a nonce: here it costs no round trip.
        let routes = routes.passing(NonceAnswers(source: nonces))
        routes.serve(.beginLogin) { request, context in
            try login.begin(context.message(of: request))
        }
    }
}
