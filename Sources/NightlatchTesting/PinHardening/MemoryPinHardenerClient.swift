import Crypto
import Foundation
public import Nightlatch
public import NightlatchWire

/// A client of ``MemoryPinHardener`` that represents one process of an app.
public struct MemoryPinHardenerClient: PinHardener {
    private let state: Shared<MemoryPinState>
    /// The window that each device last received.
    private let windows = Shared<[DeviceID: PinWindow]>([:])
    private let lostInputs = Shared(LostInputs())

    init(state: Shared<MemoryPinState>) {
        self.state = state
    }

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
        try perform(for: device) { state in .success(state.standing(of: state.devices[device.device] ?? .init())) }
    }

    public func open(
        _ device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> HardenedEpoch {
        let key = opener.key.publicKey.thumbprint
        let code = opener.code
        return try perform(for: device) { state in state.open(device, by: key, code) }
    }

    public func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let input = unsafe input.withUnsafeBytes { unsafe Array($0) }
        let device = epoch.device.device
        let known = windows.withLock { windows in
            let known = windows[device] ?? window ?? .first
            windows[device] = known
            return known
        }
        let request = lostInputs.withLock { $0.request(of: input, for: epoch, at: now) } ?? UUID()
        do {
            let answer = try evaluate(request, input, for: epoch, inNewest: known)
            lostInputs.withLock { $0.forget(input, for: epoch) }
            return answer
        } catch {
            lostInputs.withLock { inputs in
                if error.forgetsGuess {
                    inputs.forget(input, for: epoch)
                } else {
                    inputs.lose(input, for: epoch, request, at: now)
                }
            }
            throw error
        }
    }

    public func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool {
        lostInputs.withLock { $0.contains(epoch, at: now) }
    }

    private var now: Duration { state.withLock { $0.now } }

    private func evaluate(
        _ request: UUID,
        _ input: [UInt8],
        for epoch: HardenedEpoch,
        inNewest known: PinWindow
    ) throws(PinHardenerError) -> HardenedPin {
        do {
            return try evaluate(request, input, for: epoch, in: known)
        } catch {
            guard case .refused(let refusal) = error, refusal.code == .pinWindowPassed, let standing = refusal.pin
            else { throw error }
            return try evaluate(request, input, for: epoch, in: standing.window)
        }
    }

    private func evaluate(
        _ request: UUID,
        _ input: [UInt8],
        for epoch: HardenedEpoch,
        in window: PinWindow
    ) throws(PinHardenerError) -> HardenedPin {
        try perform(for: epoch.device) { state in state.evaluate(input, for: epoch, in: window, request) }
    }

    public func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        let key = knowledgeKey.publicKey.thumbprint
        return try perform(for: epoch.device) { state in state.prove(guess, own: own, for: epoch, by: key) }
    }

    public func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        let (new, key) = (knowledgeKey.publicKey.thumbprint, opener.key.publicKey.thumbprint)
        return try perform(for: candidate.device) { state in
            state.promote(candidate, guess: guess, knowledgeKey: new, by: key)
        }
    }

    public func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        let key = opener.key.publicKey.thumbprint
        try perform(for: device) { state in state.abandon(candidate, of: device, by: key) }
    }

    /// Carries out a request, unless it or its answer is to be lost. Every answer contains the window.
    private func perform<Answer>(
        for device: HardenedDevice,
        _ request: (inout MemoryPinState) -> Result<Answer, PinHardenerError>
    ) throws(PinHardenerError) -> Answer {
        let lost = PinHardenerError.unavailable(.unreachable(reason: "lost by the test"))
        let (answer, window) = state.withLock { state -> (Result<Answer, PinHardenerError>, PinWindow?) in
            defer { state.callCount += 1 }
            guard let fault = state.fault, case let call = fault.call,
                state.callCount == call || state.callCount > call && fault.isLasting
            else {
                if let answer = state.answer { return (.failure(answer), nil) }
                state.destroyIfDue(device.device)
                return (request(&state), state.devices[device.device]?.window)
            }
            if state.callCount == call, fault.kind == .answer {
                state.destroyIfDue(device.device)
                _ = request(&state)
            }
            return (.failure(lost), nil)
        }
        if let window {
            let isOther = windows.withLock { windows in
                defer { windows[device.device] = window }
                return windows[device.device].map { $0 != window } ?? false
            }
            if isOther { lostInputs.withLock { $0.forget(of: device.device) } }
        }
        return try answer.get()
    }
}
