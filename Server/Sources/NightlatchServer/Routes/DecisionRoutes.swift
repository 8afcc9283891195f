import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which devices list and decide transactions.
struct DecisionRoutes {
    let access: DeviceAccess
    let decisions: DecisionCeremony
    let nonces: NonceSource
    let refusals: RefusalTally

    func add(to routes: RouteGroup) {
        let (access, decisions) = (access, decisions)
        let routes = routes.passing(NonceAnswers(source: nonces))
            .passing(RefusalAnswers(form: .problem, tally: refusals))
        routes.serve(.pendingTransactions) { request, _ in
            try await decisions.pending(
                for: access.admit(request, path: Route.pendingTransactions.path))
        }
        routes.serve(.beginDecision) { request, context in
            let caller = try await access.admit(request, path: Route.beginDecision.path)
            return try await decisions.begin(context.message(of: request), for: caller)
        }
        routes.serve(.finishDecision, answering: decisions.finish(_:))
    }
}
