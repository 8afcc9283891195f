internal import Nightlatch

extension SecretBytes {
    /// Copies a typed PIN in UTF-8 directly into memory that is wiped. Digits of every script become ASCII digits,
    /// because a keyboard types the digits of the user's language.
    init(digitsOf typed: String) {
        let byteCount = typed.reduce(0) { count, character in
            count + (character.asciiDigit == nil ? character.utf8.count : 1)
        }
        unsafe self.init(byteCount: byteCount) { memory in
            var index = 0
            func append(_ byte: UInt8) {
                unsafe memory[index] = byte
                index += 1
            }
            for character in typed {
                if let digit = character.asciiDigit {
                    append(digit)
                } else {
                    for byte in character.utf8 { append(byte) }
                }
            }
        }
    }
}

extension Character {
    /// The ASCII digit of the same value. Nil if the character is not a digit.
    fileprivate var asciiDigit: UInt8? {
        guard let scalar = unicodeScalars.first, unicodeScalars.count == 1,
            scalar.properties.generalCategory == .decimalNumber, let digit = wholeNumberValue
        else { return nil }
        return UInt8(ascii: "0") + UInt8(digit)
    }
}
