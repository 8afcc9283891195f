public import Nightlatch
public import NightlatchWire

/// The relying party's side of hardened PINs in memory, with the rules of `docs/two-party-pin.md`, for tests.
///
/// It uses a keyed hash instead of the oblivious function, so it sees the input. Each client from ``client()``
/// represents a process of an app. If a client repeats a guess that got no answer, that is the same guess. Every
/// enrolment code is valid the first time that it is used. Time moves only by ``advance(by:)``.
public final class MemoryPinHardener: Sendable {
    /// The fault at the chosen call.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// The request does not arrive.
        case request
        /// The request is carried out, and its answer is lost.
        case answer
    }

    let state: Shared<MemoryPinState>

    /// Creates a hardener without devices.
    ///
    /// - Parameter limit: The number of guesses in a window.
    public init(limit: Int = 10) {
        state = Shared(MemoryPinState(limit: limit))
    }

    /// Returns an independent copy with the same state.
    public func copy() -> MemoryPinHardener { MemoryPinHardener(state: state.withLock { $0 }) }

    private init(state: MemoryPinState) {
        self.state = Shared(state)
    }

    /// Returns a client that represents a separate process.
    public func client() -> MemoryPinHardenerClient { MemoryPinHardenerClient(state: state) }

    /// The number of requests since this was created or repaired.
    public var callCount: Int { state.withLock { $0.callCount } }

    /// Makes the `call`-th request from now (counted from zero) fail.
    ///
    /// - Parameters:
    ///   - call: The number of the request.
    ///   - fault: Whether the request or its answer is lost.
    ///   - isLasting: Whether all later requests are lost too.
    public func fail(at call: Int, _ fault: Fault, isLasting: Bool = true) {
        state.withLock { state in
            state.callCount = 0
            state.fault = (call, fault, isLasting)
        }
    }

    /// Makes every later request fail with `error` without carrying it out; nil ends that.
    public func answer(_ error: PinHardenerError?) { state.withLock { $0.answer = error } }

    /// Ends all faults, and counts requests from zero.
    public func repair() {
        state.withLock { state in
            state.callCount = 0
            state.fault = nil
        }
    }

    /// Forgets a device, like a relying party that was restored from an older backup.
    public func forget(_ device: DeviceID) { state.withLock { $0.devices[device] = nil } }

    /// Moves the time forward. The last guess of a window may be proved for ten minutes.
    public func advance(by time: Duration) { state.withLock { $0.now += time } }

    /// Returns the state of a device's PIN, or nil if the device never opened an epoch.
    public func standing(of device: DeviceID) -> PinStanding? {
        state.withLock { state in state.devices[device].map { state.standing(of: $0) } }
    }

    /// The total number of guesses that were charged.
    public var chargedCount: Int { state.withLock { $0.chargedCount } }
}
