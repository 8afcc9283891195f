import Crypto
import Foundation

/// An English [BIP-39](https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki) phrase: words to write down,
/// which open a vault when its PIN is lost.
///
/// The words alone open everything that they protect. So the system's random generator chooses them, never the user,
/// and they are shown once. This type keeps the phrase as its entropy in zeroing memory. Words leave that memory only
/// through ``word(at:)``, to be shown to the user.
///
/// ```swift
/// let phrase = RecoveryPhrase.random()
/// for position in phrase.positions { show(phrase.word(at: position)) }
/// ```
///
/// The type cannot be copied and has no text form. ``init(typed:)`` creates it again from the typed words.
public struct RecoveryPhrase: ~Copyable, Sendable {
    /// The number of words of a phrase.
    ///
    /// BIP-39 also allows 15, 18 and 21 words. They are refused: this library never creates such phrases, and the 128
    /// bits of twelve words cannot be guessed. With only two lengths, the number of words shows that a word is missing.
    public enum WordCount: Int, Sendable, CaseIterable {
        /// 128 bits.
        case twelve = 12
        /// 256 bits.
        case twentyFour = 24

        var entropyByteCount: Int { rawValue * 4 / 3 }
        var checksumBitCount: Int { rawValue / 3 }
    }

    /// The number of words.
    public let wordCount: WordCount
    package let entropy: SecretBytes

    /// Returns a new phrase from the system's cryptographically secure generator.
    public static func random(wordCount: WordCount = .twelve) -> RecoveryPhrase {
        RecoveryPhrase(wordCount: wordCount, entropy: .random(byteCount: wordCount.entropyByteCount))
    }

    /// Creates a phrase from its entropy.
    ///
    /// - Parameter entropy: The entropy, with the length for `wordCount`.
    package init(wordCount: WordCount, entropy: consuming SecretBytes) {
        precondition(entropy.byteCount == wordCount.entropyByteCount, "the entropy has the wrong length")
        self.wordCount = wordCount
        self.entropy = entropy
    }

    /// The positions of the words, starting at 1.
    public var positions: ClosedRange<Int> { 1...wordCount.rawValue }

    /// Returns the word at `position`, one of ``positions``, to show it to the user.
    ///
    /// The text is not in zeroing memory, and a view that shows it keeps copies that cannot be wiped. Show it only on
    /// request. Keep it out of the pasteboard, screenshots and logs, and remove it from the screen once it is written
    /// down.
    public borrowing func word(at position: Int) -> String {
        RecoveryWordList.words[wordIndex(at: position)].text
    }

    /// Returns the eleven bits of entropy and checksum for a position.
    borrowing func wordIndex(at position: Int) -> Int {
        precondition(positions.contains(position), "the position must be one of `positions`")
        return unsafe entropy.withUnsafeBytes { entropy in
            let checksum = unsafe Self.checksum(of: entropy, wordCount)
            let first = (position - 1) * 11
            return (first..<first + 11).reduce(0) { index, bit in
                let byte = unsafe bit / 8 < entropy.count ? entropy[bit / 8] : checksum
                return index << 1 | Int(byte >> (7 - bit % 8) & 1)
            }
        }
    }

    /// Returns the first bits of the entropy's SHA-256, followed by zeros.
    static func checksum(of entropy: UnsafeBufferPointer<UInt8>, _ wordCount: WordCount) -> UInt8 {
        let first = CryptographyResidue.wiping { unsafe SHA256.hash(data: entropy).first { _ in true } ?? 0 }
        return first & (UInt8.max << (8 - wordCount.checksumBitCount))
    }
}
