import Hummingbird
import NightlatchWire

/// The two halves of a binding.
struct BindingRoutes<Store: RelyingPartyStore> {
    let binding: BindingCeremony<Store>

    func add(to router: some RouterMethods) {
        let binding = binding
        router.serve(.beginBinding) { request, _ throws(Refusal) in
            try await binding.begin(request.message())
        }
        router.serve(.finishBinding) { request, _ throws(Refusal) in
            try await binding.finish(request.message())
        }
    }
}
