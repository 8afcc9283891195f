import Nightlatch
import NightlatchWire

extension PinCountConformance {
    func require(_ condition: Bool) throws {
        try ConformanceFailure.require(condition, rawValue)
    }

    func require(_ expected: PinHardenerError, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as PinHardenerError {
            return try require(error == expected)
        }
        try require(false)
    }

    func requireRefused(_ code: ProblemCode, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch PinHardenerError.refused(let refusal) {
            return try require(refusal.code == code)
        }
        try require(false)
    }

    /// Requires that `body` is refused with `code`, and that this changes neither the count nor the window.
    func requireUncleared(
        _ device: HardenedTestDevice,
        _ code: ProblemCode,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await device.standing()
        try await requireRefused(code, body)
        let after = try await device.standing()
        try require(after.triesLeft == before.triesLeft && after.window == before.window)
    }

    /// Uses up all guesses: the last one is right, the others are wrong.
    func useUp(
        _ device: HardenedTestDevice,
        _ enrolment: HardenedTestDevice.Enrolment
    ) async throws -> HardenedPin {
        let limit = try await device.standing().triesLeft
        for digit in 1..<limit { _ = try await device.harden(UInt8(1 + digit), for: enrolment.epoch) }
        let last = try await device.harden(1, for: enrolment.epoch)
        try require(last.triesLeft == 0 && last.charged.ids.count == limit)
        return last
    }

    func checkCharges(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let limit = try await device.standing().triesLeft
        var charged: [PinGuessID] = []
        for digit in UInt8(2)...3 {
            let pin = try await device.harden(digit, for: enrolment.epoch)
            charged.append(pin.guess.id)
            try require(pin.guess.window == enrolment.window && pin.charged.ids == charged)
            try require(pin.triesLeft == limit - charged.count)
            try require(try await device.standing().triesLeft == limit - charged.count)
        }
    }

    func checkProof(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let limit = try await device.standing().triesLeft
        let wrong = try await device.harden(2, for: enrolment.epoch).guess.id
        let guess = try await device.harden(1, for: enrolment.epoch).guess
        let own = try ids([wrong, guess.id])
        let window = try await device.prove(guess, own: own, for: enrolment.epoch, by: enrolment.knowledgeKey)
        let standing = try await device.standing()
        try require(standing.window == window && standing.triesLeft == limit)
        let next = try await device.harden(2, for: enrolment.epoch)
        try require(next.guess.window == window && next.charged.ids == [next.guess.id])
    }

    private func ids(_ ids: [PinGuessID]) throws -> PinGuessIDs {
        guard let ids = PinGuessIDs(ids) else { throw ConformanceFailure(rawValue) }
        return ids
    }

    /// Alternates guesses of another party with guesses that the owner proves. The other party's guesses must stay
    /// counted, and destroy the keys at the limit.
    func checkUnexplained(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let limit = try await device.standing().triesLeft
        var foreign: [PinGuessID] = []
        while foreign.count < limit - 1 {
            foreign.append(try await device.harden(UInt8(2 + foreign.count), for: enrolment.epoch).guess.id)
            let pin = try await device.harden(1, for: enrolment.epoch)
            try require(pin.charged.ids == foreign + [pin.guess.id] && pin.triesLeft == limit - foreign.count - 1)
            let window = try await device.prove(
                pin.guess, own: try ids([pin.guess.id]), for: enrolment.epoch, by: enrolment.knowledgeKey)
            let standing = try await device.standing()
            try require(standing.window == window && standing.triesLeft == limit - foreign.count)
        }
        _ = try await device.harden(9, for: enrolment.epoch)
        try await require(.destroyed) { _ = try await device.harden(1, for: enrolment.epoch) }
    }

    func checkCandidateGuesses(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let limit = try await device.standing().triesLeft
        _ = try await device.harden(2, for: enrolment.epoch)
        let candidate = try await device.open(by: enrolment.opener)
        let guess = try await device.harden(1, for: candidate).guess
        let foreign = try await device.harden(3, for: candidate).guess.id
        _ = try await device.promote(candidate, guess, .random(), by: enrolment.opener)
        try require(try await device.standing().triesLeft == limit - 1)
        let next = try await device.harden(1, for: candidate)
        try require(next.charged.ids == [foreign, next.guess.id])
    }

    func checkPromotion(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let limit = try await device.standing().triesLeft
        _ = try await device.harden(2, for: enrolment.epoch)
        let next = try await device.enrol(by: enrolment.opener)
        let standing = try await device.standing()
        try require(standing.window == next.window && standing.triesLeft == limit)
    }

    func checkDestruction(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        _ = try await useUp(device, enrolment)
        for _ in 0..<2 { try await require(.destroyed) { _ = try await device.harden(9, for: enrolment.epoch) } }
        let standing = try await device.standing()
        try require(standing.epoch == nil && standing.candidate == nil && standing.isCodeRequired)
    }

    func checkReturn(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        _ = try await useUp(device, enrolment)
        try await require(.destroyed) { _ = try await device.harden(9, for: enrolment.epoch) }
        try await require(.destroyed) { _ = try await device.open(by: enrolment.opener) }
        try await require(.codeNeeded) { _ = try await device.open(by: device.opener) }
        let next = try await device.enrol(by: try await device.openerWithCode())
        try require(next.epoch.epoch > enrolment.epoch.epoch)
        try require(try await device.standing().epoch == next.epoch.epoch)
    }

    func checkStranger(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let stranger = PinEpochOpener(key: KnowledgeKey.random())
        try await requireRefused(.messageRefused) { _ = try await device.open(by: stranger) }
        let candidate = try await device.open(by: enrolment.opener)
        let guess = try await device.harden(1, for: candidate).guess
        try await requireRefused(.messageRefused) { try await device.abandon(candidate, by: stranger) }
        try await requireRefused(.messageRefused) {
            _ = try await device.promote(candidate, guess, .random(), by: stranger)
        }
        let standing = try await device.standing()
        try require(standing.epoch == enrolment.epoch.epoch && standing.candidate == candidate.epoch)
    }
}
