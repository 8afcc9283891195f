import Hummingbird
import NightlatchWire

/// Two-party PINs.
struct PinRoutes<Store: RelyingPartyStore> {
    let pins: PinCeremony<Store>

    func add(to routes: RouteGroup) {
        let pins = pins
        routes.serve(.pinStanding) { request, _ throws(Refusal) in try await pins.standing(request.message()) }
        routes.serve(.openPinEpoch) { request, _ throws(Refusal) in try await pins.open(request.message()) }
        routes.serve(.evaluatePin) { request, _ throws(Refusal) in try await pins.evaluate(request.message()) }
        routes.serve(.provePin) { request, _ throws(Refusal) in try await pins.prove(request.message()) }
        routes.serve(.promotePinEpoch) { request, _ throws(Refusal) in try await pins.promote(request.message()) }
        routes.serve(.abandonPinEpoch) { request, _ throws(Refusal) in try await pins.abandon(request.message()) }
    }
}
