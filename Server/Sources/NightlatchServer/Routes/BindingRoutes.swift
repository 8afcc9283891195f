import Hummingbird
import NightlatchWire

/// The two halves of a binding.
struct BindingRoutes<Store: RelyingPartyStore> {
    let binding: BindingCeremony<Store>

    func add(to routes: RouteGroup) {
        let binding = binding
        routes.serve(.beginBinding) { request, _ throws(Refusal) in
            try await binding.begin(request.message())
        }
        routes.serve(.finishBinding) { request, _ throws(Refusal) in
            try await binding.finish(request.message())
        }
    }
}
