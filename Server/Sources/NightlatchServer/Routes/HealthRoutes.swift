import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The liveness and readiness routes.
struct HealthRoutes {
    let readiness: Readiness

    func add(to routes: RouteGroup) {
        let readiness = readiness
        routes.serve(.liveness) { _, _ in Health(status: .ok) }
        routes.serve(.readiness) { _, _ in
            try await answer { () async throws(StoreError) in try await readiness.require() }
            return Health(status: .ok)
        }
    }
}
