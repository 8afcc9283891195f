import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The blinded inputs of guesses that are under way, and of those whose answer was lost: the same input is sent with the same element
/// again, so that it is the same guess and is not charged twice. In memory alone, since a blind beside its element is a way to test guesses;
/// and only as long as it saves a guess: until the window is over, and for ``life`` at the most.
struct UnansweredGuesses {
    /// How many whose answer was lost are kept: more than any relying party lets a device make.
    private static let countLimit = PinGuessIDs.countLimit

    /// How long one is kept whose answer was lost: as long as the last guess of a window may be proved.
    static let life = Duration.seconds(10 * 60)

    private struct Guess {
        let device: DeviceID
        let digest: [UInt8]
        let key: PinPublicKey
        let blinded: BlindedPin
        /// How many callers wait for its answer.
        var callerCount: Int
        var isAnswered = false
    }

    /// Inputs are recognised by what a key of this process makes of them, so none is kept for that.
    private let recognition = SymmetricKey(size: .bits256)
    private var guesses: [Guess] = []

    var count: Int { guesses.count }

    /// The element to send for `input`.
    mutating func begin(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch
    ) throws(BlindedPin.Failure) -> BlindedElement {
        let digest = unsafe input.withUnsafeBytes { input in
            CryptographyResidue.wiping {
                unsafe Array(
                    HMAC<SHA256>.authenticationCode(for: UnsafeRawBufferPointer(input), using: recognition))
            }
        }
        if let known = guesses.firstIndex(where: {
            $0.digest == digest && $0.key == epoch.publicKey && !$0.isAnswered
        }) {
            guesses[known].callerCount += 1
            return guesses[known].blinded.element
        }
        let blinded = try BlindedPin(input, for: epoch.publicKey)
        guesses.append(
            Guess(
                device: epoch.device.device, digest: digest, key: epoch.publicKey, blinded: blinded, callerCount: 1))
        if guesses.count > Self.countLimit, let oldest = guesses.firstIndex(where: { $0.callerCount == 0 }) {
            remove(at: oldest)
        }
        return blinded.element
    }

    /// Whether an answer was lost that nobody waits for.
    func hasLostAnswer(for epoch: HardenedEpoch) -> Bool {
        guesses.contains { $0.key == epoch.publicKey && $0.callerCount == 0 && !$0.isAnswered }
    }

    /// What the answer to `element` gives. The input's next guess is another one.
    mutating func output(
        of element: BlindedElement, in answer: PinEvaluation
    ) throws(BlindedPin.Failure) -> SymmetricKey {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element }) else { throw .notProved }
        let output = try guesses[index].blinded.output(of: answer.evaluatedElement, provedBy: answer.proof)
        guesses[index].isAnswered = true
        return output
    }

    /// A caller waits no more.
    ///
    /// - Parameter isDecided: Whether the relying party has said that there is no such guess.
    /// - Returns: Whether it is kept, and nobody waits for it: then it is to be forgotten after ``life``.
    mutating func end(_ element: BlindedElement, isDecided: Bool) -> Bool {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element }) else { return false }
        guesses[index].callerCount -= 1
        if isDecided { guesses[index].isAnswered = true }
        guard guesses[index].callerCount == 0 else { return false }
        guard guesses[index].isAnswered else { return true }
        remove(at: index)
        return false
    }

    /// Forgets a guess, unless somebody waits for it again.
    mutating func forget(_ element: BlindedElement) {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element && $0.callerCount == 0 }) else {
            return
        }
        remove(at: index)
    }

    /// Forgets the guesses of a device that nobody waits for: their window is over, and asking again would be another guess.
    mutating func forget(of device: DeviceID) {
        while let index = guesses.firstIndex(where: { $0.device == device && $0.callerCount == 0 }) {
            remove(at: index)
        }
    }

    private mutating func remove(at index: Int) {
        // The library keeps a copy of the input, which it frees without wiping it.
        CryptographyResidue.wiping { _ = guesses.remove(at: index) }
    }
}
