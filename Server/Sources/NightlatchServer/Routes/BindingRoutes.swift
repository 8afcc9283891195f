import NightlatchWire

/// The two halves of a binding.
struct BindingRoutes<Store: RelyingPartyStore> {
    let binding: BindingCeremony<Store>

    func add(to routes: RouteGroup) {
        routes.serve(.beginBinding, answering: binding.begin(_:))
        routes.serve(.finishBinding, answering: binding.finish(_:))
    }
}
