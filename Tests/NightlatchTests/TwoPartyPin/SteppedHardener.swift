import Nightlatch

/// A hardener for one process. Each request is a step, so that a test can act just before one.
struct SteppedHardener: ForwardingHardener {
    let base: any PinHardener
    let steps: Steps

    func willAsk() async { await steps.step() }
}
