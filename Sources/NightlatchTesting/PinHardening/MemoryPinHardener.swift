import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// The other side of hardened PINs in memory, with the rules of `docs/two-party-pin.md`: for tests.
///
/// A keyed hash stands in for the oblivious function, so the other side sees the input. Each client made by ``client()`` has a life
/// of its own, as an app's process has: within it a guess that was not answered is the same guess.
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
    public func client() -> MemoryPinHardenerClient { MemoryPinHardenerClient(state: state, life: UUID()) }

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

    /// How the device stands, or nil if it never opened an epoch.
    public func standing(of device: DeviceID) -> PinStanding? {
        state.withLock { state in state.devices[device].map { state.standing(of: $0) } }
    }

    /// How many guesses were ever charged.
    public var chargedCount: Int { state.withLock { $0.chargedCount } }
}

/// A ``MemoryPinHardener`` as one process of an app sees it.
public struct MemoryPinHardenerClient: PinHardener {
    let state: Shared<MemoryPinState>
    let life: UUID

    public func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        let key = state.withLock { state in
            let key = state.deviceKeys[binding.device] ?? .random()
            state.deviceKeys[binding.device] = key
            return key
        }
        return PinEpochOpener(key: key, code: code)
    }

    public func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        try perform { state in .success(state.standing(of: state.devices[device.device] ?? .init())) }
    }

    public func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        let key = opener.key.publicKey.thumbprint
        let hasCode = opener.code != nil
        return try perform { state in state.open(device, by: key, hasCode: hasCode) }
    }

    public func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let input = unsafe input.withUnsafeBytes { unsafe Array($0) }
        let life = life
        let answer = try perform { state in state.evaluate(input, for: epoch, in: life) }
        return HardenedPin(
            key: SymmetricKey(data: answer.key), guess: answer.guess, charged: answer.charged,
            triesLeft: answer.triesLeft)
    }

    public func prove(
        _ guess: HardenedGuess,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        let key = knowledgeKey.publicKey.thumbprint
        return try perform { state in state.prove(guess.id, for: epoch, by: key) }
    }

    public func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        let (new, key) = (knowledgeKey.publicKey.thumbprint, opener.key.publicKey.thumbprint)
        return try perform { state in state.promote(candidate, guess: guess.id, knowledgeKey: new, by: key) }
    }

    public func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        let key = opener.key.publicKey.thumbprint
        try perform { state in state.abandon(candidate, of: device, by: key) }
    }

    /// Carries a request out, unless it or its answer is to be lost.
    private func perform<Answer>(
        _ request: (inout MemoryPinState) -> Result<Answer, PinHardenerError>
    ) throws(PinHardenerError) -> Answer {
        let lost = PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))
        return try state.withLock { state -> Result<Answer, PinHardenerError> in
            defer { state.callCount += 1 }
            guard let fault = state.fault, case let call = fault.call,
                state.callCount == call || state.callCount > call && fault.isLasting
            else { return state.answer.map { .failure($0) } ?? request(&state) }
            if state.callCount == call, fault.kind == .answer { _ = request(&state) }
            return .failure(lost)
        }.get()
    }
}
