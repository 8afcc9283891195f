import Foundation
package import NightlatchWire

/// The relying party's state of one device's two-party PIN. No part of it is computed from the PIN.
///
/// Every store keeps it as one value, and changes it only with the functions of this type, in the transaction that
/// records the step. All stores therefore count alike. `docs/two-party-pin.md` explains each rule.
public struct PinHardening: Hashable, Sendable {
    /// The time within which the last guess of a window must be proved.
    package static let lastGuessLife: Duration = .seconds(10 * 60)

    /// The number of the next epoch to open. No number is used twice.
    package var nextEpoch = PinEpoch.first
    package var window = PinWindow.first
    /// The epoch whose slot opens the device's vault.
    package var current: SealedPinKey?
    package var candidate: Candidate?
    /// The key that proves guesses of the current epoch, or of the epoch that was destroyed last.
    package var knowledgeKey: KeyID?
    /// The guesses of this window, for any epoch, oldest first.
    package var guesses: [ChargedGuess] = []
    /// Guesses of earlier windows that no proof has named as the device's own, for any epoch, oldest first.
    ///
    /// They count until an epoch is promoted. While there are any, the device should change to a new epoch.
    package var unexplained: [UnexplainedGuess] = []
    package var lastClearing: Clearing?
    /// The time at which the last available guess was charged, by the limit at that time; nil while guesses are left.
    package var exhaustedAt: NumericDate?
    /// Whether the device key needs an enrolment code to open an epoch, because an epoch was current before or the
    /// guesses were used up.
    package var isCodeRequired = false

    package init() {}

    /// An epoch that may become the current one.
    package struct Candidate: Codable, Hashable, Sendable {
        package let key: SealedPinKey
        package let opener: Opener
        /// The enrolment code that was consumed to open it, if any.
        package let code: EnrolmentCodeMAC?
    }

    /// The key that opened a candidate, and that may promote or abandon it.
    package enum Opener: String, Codable, Hashable, Sendable {
        case deviceKey = "device"
        case knowledgeKey = "knowledge"
    }

    /// A guess that was charged.
    package struct ChargedGuess: Codable, Hashable, Sendable {
        package let id: PinGuessID
        package let epoch: PinEpoch
        /// The hash of the blinded element.
        package let element: BlindedElementHash
        /// The time at which the guess was charged. Nil if a version without rounds of guesses wrote it.
        package var chargedAt: NumericDate?
        /// The evaluation for the response; nil until it was computed.
        package var evaluation: PinGuessEvaluation?

        private enum CodingKeys: String, CodingKey {
            case id, epoch, element, evaluation
            case chargedAt = "charged_at"
        }
    }

    /// A guess that still counts although its window has ended.
    package struct UnexplainedGuess: Codable, Hashable, Sendable {
        package let id: PinGuessID
        package let epoch: PinEpoch
        /// The same as ``ChargedGuess/chargedAt``.
        package var chargedAt: NumericDate?

        private enum CodingKeys: String, CodingKey {
            case id, epoch
            case chargedAt = "charged_at"
        }
    }

    /// The latest clearing of the count. A request whose response was lost gets the same response again.
    package struct Clearing: Codable, Hashable, Sendable {
        package let guess: PinGuessID
        package let epoch: PinEpoch
        /// The window that ended.
        package let window: PinWindow
        package let signer: KeyID
        package let cleared: PinGuessIDs
    }

    /// The number of guesses that count.
    var count: Int { unexplained.count + guesses.count }

    /// All guesses that count, oldest first.
    var charged: [UnexplainedGuess] {
        unexplained + guesses.map { UnexplainedGuess(id: $0.id, epoch: $0.epoch, chargedAt: $0.chargedAt) }
    }

    /// The live key of `epoch`.
    func key(of epoch: PinEpoch) -> SealedPinKey? {
        [current, candidate?.key].compactMap(\.self).first { $0.epoch == epoch }
    }

    /// Whether the device has an epoch that opens its vault, under a limit of `guessLimit`.
    package func isEnrolled(guessLimit: Int, at now: NumericDate) -> Bool {
        var settled = self
        _ = settled.destroyIfDue(at: now, limit: guessLimit)
        return settled.current != nil
    }

    /// The device's standing under `rounds`.
    ///
    /// - Parameters:
    ///   - rounds: The rounds of guesses.
    ///   - now: The current time.
    ///   - wait: The time until another guess may be charged, if it is known; otherwise it is computed by `now`.
    package func standing(under rounds: GuessRounds, at now: NumericDate, wait: PinWait? = nil) -> PinStanding {
        var settled = self
        _ = settled.destroyIfDue(at: now, limit: rounds.limit.count)
        return PinStanding(
            epoch: settled.current?.epoch, candidate: settled.candidate?.key.epoch, nextEpoch: settled.nextEpoch,
            window: settled.window, triesLeft: max(0, rounds.limit.count - settled.count),
            isCodeRequired: settled.isCodeRequired, wait: wait ?? settled.wait(under: rounds, at: StepTime(now)),
            issuedAt: now)
    }
}

extension PinHardening: Codable {
    private enum CodingKeys: String, CodingKey {
        case nextEpoch = "next_epoch"
        case window, current, candidate
        case knowledgeKey = "knowledge_key"
        case guesses, unexplained
        case lastClearing = "last_clearing"
        case exhaustedAt = "exhausted_at"
        case isCodeRequired = "code_required"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        nextEpoch = try members.decode(PinEpoch.self, forKey: .nextEpoch)
        window = try members.decode(PinWindow.self, forKey: .window)
        current = try members.decodeIfPresent(SealedPinKey.self, forKey: .current)
        candidate = try members.decodeIfPresent(Candidate.self, forKey: .candidate)
        knowledgeKey = try members.decodeIfPresent(KeyID.self, forKey: .knowledgeKey)
        guesses = try members.decode([ChargedGuess].self, forKey: .guesses)
        // Older rows have no such member.
        unexplained = try members.decodeIfPresent([UnexplainedGuess].self, forKey: .unexplained) ?? []
        lastClearing = try members.decodeIfPresent(Clearing.self, forKey: .lastClearing)
        exhaustedAt = try members.decodeIfPresent(NumericDate.self, forKey: .exhaustedAt)
        isCodeRequired = try members.decode(Bool.self, forKey: .isCodeRequired)
    }

    /// Decodes a stored state.
    ///
    /// - Throws: ``RelyingPartyStoreError`` `corrupt` for anything that ``stored`` does not produce.
    package init(stored bytes: [UInt8]) throws(RelyingPartyStoreError) {
        do {
            self = try StrictJSON.decode(Self.self, from: bytes)
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
    }

    /// Whether the stored bytes contain `key`. Nothing is decoded.
    package static func isKey(_ key: KeyID, namedIn stored: [UInt8]) -> Bool {
        Data(stored).firstRange(of: Data(key.rawValue.utf8)) != nil
    }

    /// The bytes that a store keeps.
    package var stored: [UInt8] { Array(StrictJSON.encode(self)) }
}
