import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The route that begins a login. ``TokenRoutes`` has the route that finishes it.
struct LoginRoutes {
    let login: LoginCeremony
    let nonces: NonceSource

    func add(to routes: RouteGroup) {
        let login = login
        // The client's next request asks for tokens and needs a nonce. Sending the nonce here saves a round trip.
        let routes = routes.passing(NonceAnswers(source: nonces))
        routes.serve(.beginLogin) { request, context in
            try login.begin(context.message(of: request))
        }
    }
}
