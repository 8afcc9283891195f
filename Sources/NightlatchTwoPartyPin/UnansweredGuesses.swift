import Crypto
import Foundation
import Nightlatch
import NightlatchWire

/// The blinded inputs of guesses with an outstanding or lost answer.
///
/// The same input is sent again with the same element, so it is the same guess and is charged once. The inputs are kept
/// in memory only, because a blind together with its element allows testing guesses. They are kept only while this
/// saves a guess: until the window ends, and for at most ``life``.
struct UnansweredGuesses {
    /// The maximum number of guesses without an answer that are kept. It is more than any relying party allows.
    private static let countLimit = PinGuessIDs.countLimit

    /// The time for which a guess without an answer is kept: as long as the last guess of a window may be proved.
    static let life = Duration.seconds(10 * 60)

    private struct Guess {
        let device: DeviceID
        let digest: [UInt8]
        let key: PinPublicKey
        let blinded: BlindedPin
        /// The number of callers that wait for its answer.
        var callerCount: Int
        var isAnswered = false
    }

    /// The key for the MACs by which inputs are recognised, so that the inputs themselves need not be kept for that.
    private let recognition = SymmetricKey(size: .bits256)
    private var guesses: [Guess] = []

    var count: Int { guesses.count }

    /// Returns the element to send for `input`.
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

    /// Whether there is a lost answer that no caller waits for.
    func hasLostAnswer(for epoch: HardenedEpoch) -> Bool {
        guesses.contains { $0.key == epoch.publicKey && $0.callerCount == 0 && !$0.isAnswered }
    }

    /// Returns the output from the answer to `element`. The next guess with the same input is a new one.
    mutating func output(
        of element: BlindedElement, in answer: PinEvaluation
    ) throws(BlindedPin.Failure) -> SymmetricKey {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element }) else { throw .notProved }
        let output = try guesses[index].blinded.output(of: answer.evaluatedElement, provedBy: answer.proof)
        guesses[index].isAnswered = true
        return output
    }

    /// Records that a caller no longer waits.
    ///
    /// - Parameter isDecided: Whether the result is final: there was an answer, or the relying party said that there is
    ///   no such guess.
    /// - Returns: Whether the guess is kept although no caller waits for it. Then forget it after ``life``.
    mutating func end(_ element: BlindedElement, isDecided: Bool) -> Bool {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element }) else { return false }
        guesses[index].callerCount -= 1
        if isDecided { guesses[index].isAnswered = true }
        guard guesses[index].callerCount == 0 else { return false }
        guard guesses[index].isAnswered else { return true }
        remove(at: index)
        return false
    }

    /// Forgets a guess, unless a caller waits for it again.
    mutating func forget(_ element: BlindedElement) {
        guard let index = guesses.firstIndex(where: { $0.blinded.element == element && $0.callerCount == 0 }) else {
            return
        }
        remove(at: index)
    }

    /// Forgets the guesses of a device that no caller waits for. Their window is over, so repeating one would be a new
    /// guess.
    mutating func forget(of device: DeviceID) {
        while let index = guesses.firstIndex(where: { $0.device == device && $0.callerCount == 0 }) {
            remove(at: index)
        }
    }

    private mutating func remove(at index: Int) {
        // The library keeps a copy of the input, and frees it without wiping it.
        CryptographyResidue.wiping { _ = guesses.remove(at: index) }
    }
}
