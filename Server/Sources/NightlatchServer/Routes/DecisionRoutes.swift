import Hummingbird
import NightlatchWire

/// Transactions, as the devices see them that may decide them.
struct DecisionRoutes<Store: RelyingPartyStore> {
    let access: DeviceAccess<Store>
    let decisions: DecisionCeremony<Store>
    let nonces: NonceSource
    let refusals: RefusalTally

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let (access, decisions) = (access, decisions)
        let router = router.group().add(middleware: NonceAnswers<Context>(source: nonces))
            .add(middleware: RefusalAnswers<Context>(form: .problem, tally: refusals))
        router.serve(.pendingTransactions) { request, _ throws(Refusal) in
            try await decisions.pending(
                for: access.admit(request, path: Route.pendingTransactions.path))
        }
        router.serve(.beginDecision) { request, _ throws(Refusal) in
            let caller = try await access.admit(request, path: Route.beginDecision.path)
            return try await decisions.begin(request.message(), for: caller)
        }
        router.serve(.finishDecision) { request, _ throws(Refusal) in
            try await decisions.finish(request.message())
        }
    }
}
