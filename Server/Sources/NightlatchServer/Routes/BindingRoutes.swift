import NightlatchRelyingParty
import NightlatchWire

/// The two routes of a binding.
struct BindingRoutes {
    let binding: BindingCeremony

    func add(to routes: RouteGroup) {
        routes.serve(.beginBinding, answering: binding.begin(_:))
        routes.serve(.finishBinding, answering: binding.finish(_:))
    }
}
