import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which devices list, claim and decide remote logins.
struct RemoteLoginRoutes {
    let access: DeviceAccess
    let logins: RemoteLoginCeremony
    let nonces: NonceSource
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        let (access, logins) = (access, logins)
        let routes = routes.passing(NonceAnswers(source: nonces))
            .passing(RefusalAnswers(form: .problem, tally: refusals))
        routes.serve(.remoteLogins) { request, _ in
            try await logins.pending(for: access.admit(request, path: Route.remoteLogins.path))
        }
        routes.serve(.claimRemoteLogin) { request, context in
            let caller = try await access.admit(request, path: Route.claimRemoteLogin.path)
            return try await logins.claim(context.message(of: request), for: caller)
        }
        routes.serve(.beginRemoteLogin) { request, context in
            let caller = try await access.admit(request, path: Route.beginRemoteLogin.path)
            return try await logins.begin(context.message(of: request), for: caller)
        }
        routes.serve(.finishRemoteLogin, answering: logins.finish(_:))
    }
}
