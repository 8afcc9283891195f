import Hummingbird
import NightlatchWire

/// Whether the process runs, and whether it can serve.
struct HealthRoutes<Store: RelyingPartyStore> {
    let store: Store

    func add(to router: some RouterMethods) {
        let store = store
        router.serve(.liveness) { _, _ throws(Refusal) in Health(status: .ok) }
        router.serve(.readiness) { _, _ throws(Refusal) in
            try await answer { () async throws(StoreError) in try await store.checkReadiness() }
            return Health(status: .ok)
        }
    }
}
