import Nightlatch
import NightlatchTwoPartyPin
import NightlatchWire
import Synchronization

/// A hardener that brings an enrolment code along where a new epoch is opened, and remembers why none was.
final class EnrollingPinHardener: PinHardener {
    private let base: TwoPartyPin
    private let code: EnrolmentCode?
    private let lastFailure = Mutex<PinHardenerError?>(nil)

    init(_ base: TwoPartyPin, code: EnrolmentCode?) {
        self.base = base
        self.code = code
    }

    /// Why the last epoch was not opened; nil if it was.
    var failure: PinHardenerError? { lastFailure.withLock(\.self) }

    private func noted(_ error: PinHardenerError) -> PinHardenerError {
        lastFailure.withLock { $0 = error }
        return error
    }

    func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        try await base.opener(for: binding, password: password, code: code ?? self.code)
    }

    func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        do {
            return try await base.standing(of: device)
        } catch {
            throw noted(error)
        }
    }

    func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch {
        do {
            return try await base.open(device, by: opener)
        } catch {
            throw noted(error)
        }
    }

    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        try await base.harden(input, for: epoch, in: window)
    }

    func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { await base.hasLostAnswer(for: epoch) }

    func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        try await base.prove(guess, own: own, for: epoch, by: knowledgeKey)
    }

    func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        try await base.promote(candidate, guess: guess, knowledgeKey: knowledgeKey, by: opener)
    }

    func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        try await base.abandon(candidate, of: device, by: opener)
    }
}
