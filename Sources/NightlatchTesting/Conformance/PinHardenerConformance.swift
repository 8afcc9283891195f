import Nightlatch
import NightlatchWire

/// The promises of every `PinHardener`. Run them on every adapter. ``PinCountConformance`` has the further promises of
/// a relying party's hardener.
public enum PinHardenerConformance: String, CaseIterable, Sendable {
    case aDeviceThatWasNeverServedHasNoEpoch
    case anEpochIsACandidateUntilItIsPromoted
    case theSameInputGivesTheSameKeyInEveryProcess
    case nothingIsLostWhereNothingWasAskedOrAllWasAnswered
    case anotherInputGivesAnotherKey
    case anotherEpochGivesAnotherKey
    case aPromotionEndsTheEpochBefore
    case aPromotionThatIsAskedForAgainSaysTheSame
    case anotherCandidateTakesThePlaceOfTheFirst
    case anAbandonedCandidateIsGoneForEver
    case aCurrentEpochIsNotAbandoned

    /// Checks this promise.
    ///
    /// - Throws: ``ConformanceFailure``, or the adapter's error.
    public func check(_ device: HardenedTestDevice) async throws {
        switch self {
        case .aDeviceThatWasNeverServedHasNoEpoch:
            let standing = try await device.standing()
            try require(standing.epoch == nil && standing.candidate == nil && standing.nextEpoch == .first)
        case .anEpochIsACandidateUntilItIsPromoted: try await checkPromotion(device)
        case .theSameInputGivesTheSameKeyInEveryProcess:
            let epoch = try await device.enrol().epoch
            let first = try await device.harden(1, for: epoch)
            let again = try await device.harden(1, for: epoch)
            try require(again.key == first.key)
        case .nothingIsLostWhereNothingWasAskedOrAllWasAnswered:
            try require(try await !device.losesAnswers(for: try await device.enrol().epoch))
        case .anotherInputGivesAnotherKey:
            let epoch = try await device.enrol().epoch
            let first = try await device.harden(1, for: epoch)
            let other = try await device.harden(2, for: epoch)
            try require(other.key != first.key)
        case .anotherEpochGivesAnotherKey:
            let enrolment = try await device.enrol()
            let first = try await device.harden(1, for: enrolment.epoch)
            let next = try await device.open(by: enrolment.opener)
            let other = try await device.harden(1, for: next)
            try require(next.epoch == enrolment.epoch.epoch.next && other.key != first.key)
        case .aPromotionEndsTheEpochBefore:
            let enrolment = try await device.enrol()
            let next = try await device.enrol(by: enrolment.opener)
            try await requirePassed(current: next.epoch) { _ = try await device.harden(1, for: enrolment.epoch) }
        case .aPromotionThatIsAskedForAgainSaysTheSame: try await checkRepeatedPromotion(device)
        case .anotherCandidateTakesThePlaceOfTheFirst: try await checkSecondCandidate(device)
        case .anAbandonedCandidateIsGoneForEver: try await checkAbandonment(device)
        case .aCurrentEpochIsNotAbandoned:
            let enrolment = try await device.enrol()
            try await requirePassed(current: enrolment.epoch) {
                try await device.abandon(enrolment.epoch, by: enrolment.opener)
            }
            _ = try await device.harden(1, for: enrolment.epoch)
        }
    }

    private func require(_ condition: Bool) throws {
        try ConformanceFailure.require(condition, rawValue)
    }

    /// Requires that `body` fails because the epoch has passed, with a standing that names the current epoch.
    private func requirePassed(current: HardenedEpoch?, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch PinHardenerError.epochPassed(let standing) {
            return try require(standing.epoch == current?.epoch)
        }
        try require(false)
    }

    private func checkPromotion(_ device: HardenedTestDevice) async throws {
        let (key, epoch) = (KnowledgeKey.random(), try await device.open(by: device.opener))
        let guess = try await device.harden(1, for: epoch).guess
        let before = try await device.standing()
        try require(before.epoch == nil && before.candidate == epoch.epoch && before.nextEpoch == epoch.epoch.next)
        _ = try await device.promote(epoch, guess, key, by: device.opener)
        let after = try await device.standing()
        try require(after.epoch == epoch.epoch && after.candidate == nil && after.nextEpoch == epoch.epoch.next)
    }

    private func checkRepeatedPromotion(_ device: HardenedTestDevice) async throws {
        let (key, epoch) = (KnowledgeKey.random(), try await device.open(by: device.opener))
        let guess = try await device.harden(1, for: epoch).guess
        let window = try await device.promote(epoch, guess, key, by: device.opener)
        try require(try await device.promote(epoch, guess, key, by: device.opener) == window)
        try require(try await device.standing().epoch == epoch.epoch)
    }

    private func checkSecondCandidate(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let first = try await device.open(by: enrolment.opener)
        let guess = try await device.harden(1, for: first).guess
        let second = try await device.open(by: enrolment.opener)
        try require(second.epoch == first.epoch.next)
        try await requirePassed(current: enrolment.epoch) { _ = try await device.harden(1, for: first) }
        try await requirePassed(current: enrolment.epoch) {
            _ = try await device.promote(first, guess, .random(), by: enrolment.opener)
        }
        _ = try await device.harden(1, for: second)
        try require(try await device.standing().candidate == second.epoch)
    }

    private func checkAbandonment(_ device: HardenedTestDevice) async throws {
        let enrolment = try await device.enrol()
        let candidate = try await device.open(by: enrolment.opener)
        let guess = try await device.harden(1, for: candidate).guess
        for _ in 0..<2 { try await device.abandon(candidate, by: enrolment.opener) }
        try await requirePassed(current: enrolment.epoch) { _ = try await device.harden(1, for: candidate) }
        try await requirePassed(current: enrolment.epoch) {
            _ = try await device.promote(candidate, guess, .random(), by: enrolment.opener)
        }
        let next = try await device.open(by: enrolment.opener)
        try require(next.epoch == candidate.epoch.next)
    }
}
