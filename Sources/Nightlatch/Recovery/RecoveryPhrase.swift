import Crypto
import Foundation

/// Words to write down, from which a vault can be opened when its PIN is lost: a phrase of
/// [BIP-39](https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki), in English.
///
/// Whoever has the words has what they open, so they are made by the system's generator, never chosen by a person, and shown
/// once. Here the phrase is its entropy in zeroing memory; words leave that memory only where a person is shown them, by
/// ``word(at:)``.
///
/// ```swift
/// let phrase = RecoveryPhrase.random()
/// for position in phrase.positions { show(phrase.word(at: position)) }
/// ```
///
/// The type is not copyable and has no text form. ``init(typed:)`` makes it again from what a person types.
public struct RecoveryPhrase: ~Copyable, Sendable {
    /// How many words there are.
    ///
    /// BIP-39 knows 15, 18 and 21 words too. They are refused: this library never makes them, 128 bits are out of reach of
    /// guessing, and with two lengths alone a phrase that was copied incompletely is told by its count.
    public enum WordCount: Int, Sendable, CaseIterable {
        /// 128 bits.
        case twelve = 12
        /// 256 bits.
        case twentyFour = 24

        var entropyByteCount: Int { rawValue * 4 / 3 }
        var checksumBitCount: Int { rawValue / 3 }
    }

    /// How many words there are.
    public let wordCount: WordCount
    package let entropy: SecretBytes

    /// A new phrase from the system's cryptographically secure generator.
    public static func random(wordCount: WordCount = .twelve) -> RecoveryPhrase {
        RecoveryPhrase(wordCount: wordCount, entropy: .random(byteCount: wordCount.entropyByteCount))
    }

    /// - Parameter entropy: As many bytes as belong to `wordCount`.
    package init(wordCount: WordCount, entropy: consuming SecretBytes) {
        precondition(entropy.byteCount == wordCount.entropyByteCount, "entropy of another length")
        self.wordCount = wordCount
        self.entropy = entropy
    }

    /// The places of the words, from 1.
    public var positions: ClosedRange<Int> { 1...wordCount.rawValue }

    /// The word at `position`, which is one of ``positions``, to be shown to a person.
    ///
    /// The text leaves zeroing memory with that: a view that shows it keeps copies that nobody can wipe. Show it only when it is
    /// asked for, keep it off the pasteboard, out of screenshots and logs, and take it off the screen when it is written down.
    public borrowing func word(at position: Int) -> String {
        RecoveryWordList.words[wordIndex(at: position)].text
    }

    /// Eleven bits of entropy and checksum.
    borrowing func wordIndex(at position: Int) -> Int {
        precondition(positions.contains(position), "no such position")
        return unsafe entropy.withUnsafeBytes { entropy in
            let checksum = unsafe Self.checksum(of: entropy, wordCount)
            let first = (position - 1) * 11
            return (first..<first + 11).reduce(0) { index, bit in
                let byte = unsafe bit / 8 < entropy.count ? entropy[bit / 8] : checksum
                return index << 1 | Int(byte >> (7 - bit % 8) & 1)
            }
        }
    }

    /// The first bits of the entropy's SHA-256, then zeros.
    static func checksum(of entropy: UnsafeBufferPointer<UInt8>, _ wordCount: WordCount) -> UInt8 {
        let first = CryptographyResidue.wiping { unsafe SHA256.hash(data: entropy).first { _ in true } ?? 0 }
        return first & (UInt8.max << (8 - wordCount.checksumBitCount))
    }
}
