/// A word of the list as a number: its ASCII letters from the highest byte down, followed by zeros.
///
/// Such numbers sort like the words, and a word needs no memory on the heap.
struct RecoveryWord: Hashable {
    /// The greatest number of letters of a word in the list.
    static let letterLimit = 8

    let number: UInt64

    /// Creates a word from one to eight letters a to z in upper or lower case; nil for anything else.
    init?(letters: some Collection<UInt8>) {
        guard (1...Self.letterLimit).contains(letters.count) else { return nil }
        var number: UInt64 = 0
        for letter in letters.lazy.map(\.asciiLowercased) {
            guard (0x61...0x7A).contains(letter) else { return nil }
            number = number << 8 | UInt64(letter)
        }
        self.number = number << (8 * (Self.letterLimit - letters.count))
    }

    var letterCount: Int { Self.letterLimit - number.trailingZeroBitCount / 8 }

    /// Returns a letter.
    ///
    /// - Parameter index: The index of the letter, less than ``letterCount``.
    func letter(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }

    /// The word as a string. At most eight bytes, which a string stores inline.
    var text: String {
        unsafe String(unsafeUninitializedCapacity: letterCount) { letters in
            for index in 0..<letterCount { unsafe letters[index] = letter(index) }
            return letterCount
        }
    }
}
