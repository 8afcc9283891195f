import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The blinded inputs of guesses that are under way, and of those whose answer was lost: the same input is sent with the same element
/// again, so that it is the same guess and is not charged twice. In memory alone, since a blind beside its element is a way to test guesses.
struct UnansweredGuesses {
    /// How many whose answer was lost are kept: more than any relying party lets a device make.
    private static let countLimit = PinGuessIDs.countLimit

    private struct Guess {
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

    /// The element to send for `input`.
    mutating func begin(
        _ input: borrowing SecretBytes,
        for epoch: HardenedEpoch
    ) throws(BlindedPin.Failure) -> BlindedElement {
        let digest = unsafe input.withUnsafeBytes { input in
            unsafe Array(HMAC<SHA256>.authenticationCode(for: UnsafeRawBufferPointer(input), using: recognition))
        }
        if let known = guesses.firstIndex(where: {
            $0.digest == digest && $0.key == epoch.publicKey && !$0.isAnswered
        }) {
            guesses[known].callerCount += 1
            return guesses[known].blinded.element
        }
        let blinded = try BlindedPin(input, for: epoch.publicKey)
        guesses.append(Guess(digest: digest, key: epoch.publicKey, blinded: blinded, callerCount: 1))
        if guesses.count > Self.countLimit, let oldest = guesses.firstIndex(where: { $0.callerCount == 0 }) {
            guesses.remove(at: oldest)
        }
        return blinded.element
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
    mutating func end(_ element: BlindedElement, isDecided: Bool) {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element }) else { return }
        guesses[index].callerCount -= 1
        if isDecided { guesses[index].isAnswered = true }
        guard guesses[index].isAnswered, guesses[index].callerCount == 0 else { return }
        // The library keeps a copy of the input, which it frees without wiping it.
        CryptographyResidue.wiping { _ = guesses.remove(at: index) }
    }
}
