import Hummingbird
import NightlatchWire

/// The beginning of a login. Its end is a grant of ``TokenRoutes``.
struct LoginRoutes<Store: RelyingPartyStore> {
    let login: LoginCeremony<Store>

    func add(to router: some RouterMethods) {
        let login = login
        router.serve(.beginLogin) { request, _ throws(Refusal) in
            try login.begin(await request.message())
        }
    }
}
