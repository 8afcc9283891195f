/// A word of the list as one number: its letters as ASCII from the highest byte down, then zeros. So words sort as numbers do,
/// and a typed word needs no memory of its own.
struct RecoveryWord: Hashable {
    /// No word of the list has more letters.
    static let letterLimit = 8

    let number: UInt64

    /// Nil unless there are one to eight letters a to z, small or capital.
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

    /// - Parameter index: Below ``letterCount``.
    func letter(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }

    /// At most eight bytes, which a string holds within itself and in no memory of its own.
    var text: String {
        unsafe String(unsafeUninitializedCapacity: letterCount) { letters in
            for index in 0..<letterCount { unsafe letters[index] = letter(index) }
            return letterCount
        }
    }
}
