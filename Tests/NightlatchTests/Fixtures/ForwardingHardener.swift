import Nightlatch
import NightlatchWire

/// A hardener in a test that forwards to another.
protocol ForwardingHardener: PinHardener {
    var base: any PinHardener { get }

    /// Called before each request.
    func willAsk() async
}

extension ForwardingHardener {
    var ownDevice: HardenedDevice? { base.ownDevice }

    func willAsk() async {}

    func opener(
        for binding: DeviceBinding,
        password: borrowing SecretBytes,
        code: EnrolmentCode?
    ) async throws(PinHardenerError) -> PinEpochOpener {
        try await base.opener(for: binding, password: password, code: code)
    }

    func standing(of device: HardenedDevice) async throws(PinHardenerError) -> PinStanding {
        await willAsk()
        return try await base.standing(of: device)
    }

    func open(_ device: HardenedDevice, by opener: PinEpochOpener) async throws(PinHardenerError) -> HardenedEpoch {
        await willAsk()
        return try await base.open(device, by: opener)
    }

    func harden(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch,
        in window: PinWindow?
    ) async throws(PinHardenerError) -> HardenedPin {
        await willAsk()
        return try await base.harden(input, for: epoch, in: window)
    }

    func hasLostAnswer(for epoch: HardenedEpoch) async -> Bool { await base.hasLostAnswer(for: epoch) }

    func prove(
        _ guess: HardenedGuess,
        own: PinGuessIDs,
        for epoch: HardenedEpoch,
        by knowledgeKey: KnowledgeKey
    ) async throws(PinHardenerError) -> PinWindow {
        await willAsk()
        return try await base.prove(guess, own: own, for: epoch, by: knowledgeKey)
    }

    func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KnowledgeKey,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) -> PinWindow {
        await willAsk()
        return try await base.promote(candidate, guess: guess, knowledgeKey: knowledgeKey, by: opener)
    }

    func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: PinEpochOpener
    ) async throws(PinHardenerError) {
        await willAsk()
        try await base.abandon(candidate, of: device, by: opener)
    }
}
