extension RecoveryPhrase {
    /// The size limit for typed text: 24 words of eight letters, and the rest for white space.
    public static let typedByteLimit = 1_024

    /// Creates the phrase that the user has typed.
    ///
    /// The checksum finds most mistakes, but not all: one in 16 wrong phrases of twelve words passes, and one in 256 of
    /// 24 words. Such a phrase is valid, but opens nothing.
    ///
    /// - Parameter text: The words in UTF-8, in upper or lower case, separated by white space or dashes. Invisible
    ///   characters, which copying may add, are ignored. The text is wiped when this returns.
    /// - Throws: ``RecoveryPhraseError``, which says what to check. Nothing was tried, and no attempt was counted.
    public init(typed text: consuming SecretBytes) throws(RecoveryPhraseError) {
        guard text.byteCount <= Self.typedByteLimit else { throw .tooLong(byteLimit: Self.typedByteLimit) }
        let words = text.pastedWords()
        self = unsafe try words.withUnsafeBytes { words throws(RecoveryPhraseError) in
            unsafe try Self.parse(words.split(whereSeparator: \.isASCIIWhiteSpace))
        }
    }

    private static func parse(
        _ typed: [Slice<UnsafeBufferPointer<UInt8>>]
    ) throws(RecoveryPhraseError) -> RecoveryPhrase {
        let unknown = unsafe typed.prefix(WordCount.twentyFour.rawValue).enumerated()
            .filter { unsafe RecoveryWordList.index(of: $0.element) == nil }
            .map { unsafe UnknownRecoveryWord(position: $0.offset + 1, typed: $0.element) }
        guard let wordCount = unsafe WordCount(rawValue: typed.count) else {
            throw unsafe .wordCount(typed.count, unknown: unknown)
        }
        guard unknown.isEmpty else { throw .unknownWords(unknown) }

        // Eleven bits per word: the entropy, then the checksum in the last byte.
        let bits = unsafe SecretBytes(byteCount: wordCount.entropyByteCount + 1) { memory in
            for offset in 0..<wordCount.rawValue {
                // Look the word up a second time, so that its index is not kept in an array, which could not be wiped.
                guard let index = unsafe RecoveryWordList.index(of: typed[offset]) else { continue }
                for bit in 0..<11 where index >> (10 - bit) & 1 == 1 {
                    unsafe memory[(offset * 11 + bit) / 8] |= 0x80 >> ((offset * 11 + bit) % 8)
                }
            }
        }
        let entropy = unsafe bits.withUnsafeBytes { unsafe SecretBytes(copying: $0.dropLast()) }
        let isWhole = unsafe bits.withUnsafeBytes { bits in
            unsafe bits[wordCount.entropyByteCount]
                == checksum(of: UnsafeBufferPointer(rebasing: bits.dropLast()), wordCount)
        }
        guard isWhole else { throw .checksum }
        return RecoveryPhrase(wordCount: wordCount, entropy: entropy)
    }
}
