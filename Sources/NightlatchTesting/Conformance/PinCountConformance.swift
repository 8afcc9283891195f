import Nightlatch
import NightlatchWire

/// The promises of a `PinHardener` of a relying party (`docs/two-party-pin.md`), in addition to
/// ``PinHardenerConformance``: it counts guesses, and authenticates the key that opens an epoch.
public enum PinCountConformance: String, CaseIterable, Sendable {
    case everyGuessIsChargedAndTold
    case anInputThatWasAnsweredIsAnotherGuessWhenItComesAgain
    case aProofBeginsTheCountAnew
    case aProofClearsTheGuessesAloneThatTheDeviceNames
    case aProofThatIsAskedForAgainSaysTheSame
    case aProofOfAnUnknownGuessIsRefused
    case aProofByAnotherKeyIsRefused
    case aPromotionBeginsTheCountAnew
    case aPromotionLeavesOthersGuessesAtTheCandidateCounted
    case theLastGuessMayBeProved
    case theGuessAfterTheLastDestroysTheKeys
    case destroyedKeysComeBackByACodeAlone
    case aDeviceKeyNeedsACodeOnceAnEpochWasCurrent
    case aCodeServesOnce
    case aStrangersKeyOpensAndEndsNothing
    case aCandidateOfTheDeviceKeyStaysForTheKnowledgeKey

    /// Checks this promise.
    ///
    /// - Throws: ``ConformanceFailure``, or the adapter's error.
    public func check(_ device: HardenedTestDevice) async throws {
        switch self {
        case .everyGuessIsChargedAndTold: try await checkCharges(device)
        case .anInputThatWasAnsweredIsAnotherGuessWhenItComesAgain:
            let epoch = try await device.enrol().epoch
            let ids = try await device.hardenTwice(2, for: epoch).map(\.guess.id)
            try require(ids[0] != ids[1])
        case .aProofBeginsTheCountAnew: try await checkProof(device)
        case .aProofClearsTheGuessesAloneThatTheDeviceNames: try await checkUnexplained(device)
        case .aProofThatIsAskedForAgainSaysTheSame:
            let enrolment = try await device.enrol()
            let guess = try await device.harden(1, for: enrolment.epoch).guess
            for _ in 0..<2 {
                let window = try await device.prove(guess, for: enrolment.epoch, by: enrolment.knowledgeKey)
                try require(window == guess.window.next)
            }
        case .aProofOfAnUnknownGuessIsRefused:
            let enrolment = try await device.enrol()
            _ = try await device.harden(1, for: enrolment.epoch)
            let unknown = HardenedGuess(id: .random(), window: enrolment.window)
            try await requireUncleared(device, .pinGuessUnknown) {
                _ = try await device.prove(unknown, for: enrolment.epoch, by: enrolment.knowledgeKey)
            }
        case .aProofByAnotherKeyIsRefused:
            let enrolment = try await device.enrol()
            let guess = try await device.harden(1, for: enrolment.epoch).guess
            try await requireUncleared(device, .messageRefused) {
                _ = try await device.prove(guess, for: enrolment.epoch, by: .random())
            }
        case .aPromotionBeginsTheCountAnew: try await checkPromotion(device)
        case .aPromotionLeavesOthersGuessesAtTheCandidateCounted: try await checkCandidateGuesses(device)
        case .theLastGuessMayBeProved:
            let enrolment = try await device.enrol()
            let last = try await useUp(device, enrolment)
            let window = try await device.prove(last.guess, for: enrolment.epoch, by: enrolment.knowledgeKey)
            try require(window == last.guess.window.next)
            _ = try await device.harden(1, for: enrolment.epoch)
        case .theGuessAfterTheLastDestroysTheKeys: try await checkDestruction(device)
        case .destroyedKeysComeBackByACodeAlone: try await checkReturn(device)
        case .aDeviceKeyNeedsACodeOnceAnEpochWasCurrent:
            let enrolment = try await device.enrol()
            try await require(.codeNeeded) { _ = try await device.open(by: device.opener) }
            try require(try await device.standing().candidate == nil)
            let next = try await device.enrol(by: try await device.openerWithCode())
            try require(next.epoch.epoch > enrolment.epoch.epoch)
        case .aCodeServesOnce:
            _ = try await device.enrol()
            let opener = try await device.openerWithCode()
            let current = try await device.enrol(by: opener)
            try await requireRefused(.enrolmentCodeRefused) { _ = try await device.open(by: opener) }
            try require(try await device.standing().epoch == current.epoch.epoch)
        case .aStrangersKeyOpensAndEndsNothing: try await checkStranger(device)
        case .aCandidateOfTheDeviceKeyStaysForTheKnowledgeKey:
            let enrolment = try await device.enrol()
            let candidate = try await device.open(by: try await device.openerWithCode())
            do {
                _ = try await device.open(by: enrolment.opener)
                try require(false)
            } catch PinHardenerError.candidateOpen(let standing) {
                try require(standing.candidate == candidate.epoch && standing.epoch == enrolment.epoch.epoch)
            }
        }
    }
}
