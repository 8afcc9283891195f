import Hummingbird
import NightlatchWire

/// Two-party PINs.
struct PinRoutes<Store: RelyingPartyStore> {
    let pins: PinCeremony<Store>

    func add(to routes: RouteGroup) {
        let pins = pins
        routes.serve(.pinStanding) { request, context throws(Refusal) in
            try await pins.standing(context.message(of: request))
        }
        routes.serve(.openPinEpoch) { request, context throws(Refusal) in
            try await pins.open(context.message(of: request))
        }
        routes.serve(.evaluatePin) { request, context throws(Refusal) in
            try await pins.evaluate(context.message(of: request))
        }
        routes.serve(.provePin) { request, context throws(Refusal) in
            try await pins.prove(context.message(of: request))
        }
        routes.serve(.promotePinEpoch) { request, context throws(Refusal) in
            try await pins.promote(context.message(of: request))
        }
        routes.serve(.abandonPinEpoch) { request, context throws(Refusal) in
            try await pins.abandon(context.message(of: request))
        }
    }
}
