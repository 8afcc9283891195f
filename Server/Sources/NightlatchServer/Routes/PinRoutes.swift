import NightlatchWire

/// Two-party PINs.
struct PinRoutes<Store: RelyingPartyStore> {
    let pins: PinCeremony<Store>

    func add(to routes: RouteGroup) {
        routes.serve(.pinStanding, answering: pins.standing(_:))
        routes.serve(.openPinEpoch, answering: pins.open(_:))
        routes.serve(.evaluatePin, answering: pins.evaluate(_:))
        routes.serve(.provePin, answering: pins.prove(_:))
        routes.serve(.promotePinEpoch, answering: pins.promote(_:))
        routes.serve(.abandonPinEpoch, answering: pins.abandon(_:))
    }
}
