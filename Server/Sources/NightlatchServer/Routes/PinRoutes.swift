import Hummingbird
import NightlatchWire

/// Two-party PINs.
struct PinRoutes<Store: RelyingPartyStore> {
    let pins: PinCeremony<Store>

    func add(to router: some RouterMethods) {
        let pins = pins
        router.serve(.pinStanding) { request, _ throws(Refusal) in try await pins.standing(request.message()) }
        router.serve(.openPinEpoch) { request, _ throws(Refusal) in try await pins.open(request.message()) }
        router.serve(.evaluatePin) { request, _ throws(Refusal) in try await pins.evaluate(request.message()) }
        router.serve(.provePin) { request, _ throws(Refusal) in try await pins.prove(request.message()) }
        router.serve(.promotePinEpoch) { request, _ throws(Refusal) in try await pins.promote(request.message()) }
        router.serve(.abandonPinEpoch) { request, _ throws(Refusal) in try await pins.abandon(request.message()) }
    }
}
