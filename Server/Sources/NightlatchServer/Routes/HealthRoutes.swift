import Hummingbird
import NightlatchWire

/// Whether the process runs, and whether it can serve.
struct HealthRoutes {
    let readiness: Readiness

    func add(to router: some RouterMethods) {
        let readiness = readiness
        router.serve(.liveness) { _, _ throws(Refusal) in Health(status: .ok) }
        router.serve(.readiness) { _, _ throws(Refusal) in
            try await answer { () async throws(StoreError) in try await readiness.require() }
            return Health(status: .ok)
        }
    }
}
