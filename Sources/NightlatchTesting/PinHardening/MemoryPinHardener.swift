public import Nightlatch
public import NightlatchWire

/// The other side of hardened PINs in memory, with the rules of `docs/two-party-pin.md`: for tests.
///
/// A keyed hash stands in for the oblivious function, so the other side sees the input. Each client made by ``client()`` has a life
/// of its own, as an app's process has: within it a guess whose answer was lost is the same guess when it is made again. Any enrolment code is a good one the first
/// time it is seen. Time stands still unless ``advance(by:)`` is called.
public final class MemoryPinHardener: Sendable {
    /// What happens at the chosen call.
    public enum Fault: Hashable, Sendable, CaseIterable {
        /// The request does not arrive.
        case request
        /// The request is carried out, and its answer is lost.
        case answer
    }

    let state: Shared<MemoryPinState>

    /// - Parameter limit: How many guesses a window has.
    public init(limit: Int = 10) {
        state = Shared(MemoryPinState(limit: limit))
    }

    /// Another with the same state, which goes its own way from now on.
    public func copy() -> MemoryPinHardener { MemoryPinHardener(state: state.withLock { $0 }) }

    private init(state: MemoryPinState) {
        self.state = Shared(state)
    }

    /// A client in a process of its own.
    public func client() -> MemoryPinHardenerClient { MemoryPinHardenerClient(state: state) }

    /// How many requests were made since this was made or repaired.
    public var callCount: Int { state.withLock { $0.callCount } }

    /// Fails at the `call`-th request from now, counted from zero.
    ///
    /// - Parameters:
    ///   - call: Which request.
    ///   - fault: What is lost.
    ///   - isLasting: Whether all requests after it are lost as well.
    public func fail(at call: Int, _ fault: Fault, isLasting: Bool = true) {
        state.withLock { state in
            state.callCount = 0
            state.fault = (call, fault, isLasting)
        }
    }

    /// Answers every request from now on with `error` and carries none out; nil to carry them out again.
    public func answer(_ error: PinHardenerError?) { state.withLock { $0.answer = error } }

    /// Works again, and counts requests from zero.
    public func repair() {
        state.withLock { state in
            state.callCount = 0
            state.fault = nil
        }
    }

    /// Forgets a device, as a relying party does that was restored from an older backup.
    public func forget(_ device: DeviceID) { state.withLock { $0.devices[device] = nil } }

    /// Lets time pass: the last guess of a window may be proved for ten minutes.
    public func advance(by time: Duration) { state.withLock { $0.now += time } }

    /// How the device stands, or nil if it never opened an epoch.
    public func standing(of device: DeviceID) -> PinStanding? {
        state.withLock { state in state.devices[device].map { state.standing(of: $0) } }
    }

    /// How many guesses were ever charged.
    public var chargedCount: Int { state.withLock { $0.chargedCount } }
}
