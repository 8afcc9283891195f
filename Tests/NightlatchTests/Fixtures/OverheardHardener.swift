import Crypto
import Nightlatch
import NightlatchTesting
import NightlatchWire

/// A hardener whose last input and answer a test hears.
struct OverheardHardener: PinHardener {
    let base: any PinHardener
    let heard: Shared<(input: [UInt8], y: [UInt8])?>

    var ownDevice: HardenedDevice? { base.ownDevice }

    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        let answer = try await base.harden(input, for: epoch, in: window)
        let said = unsafe input.withUnsafeBytes { unsafe Array($0) }
        let y = unsafe answer.key.withUnsafeBytes { unsafe Array($0) }
        heard.withLock { $0 = (said, y) }
        return answer
    }

    func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        try await base.opener(for: binding, password: password, code: code)
    }

    func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        try await base.standing(of: device)
    }

    func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch {
        try await base.open(device, by: opener)
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
