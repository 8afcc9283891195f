import Hummingbird
import NightlatchWire

/// The two halves of a binding.
struct BindingRoutes<Store: RelyingPartyStore> {
    let binding: BindingCeremony<Store>

    func add(to routes: RouteGroup) {
        let binding = binding
        routes.serve(.beginBinding) { request, context throws(Refusal) in
            try await binding.begin(context.message(of: request))
        }
        routes.serve(.finishBinding) { request, context throws(Refusal) in
            try await binding.finish(context.message(of: request))
        }
    }
}
