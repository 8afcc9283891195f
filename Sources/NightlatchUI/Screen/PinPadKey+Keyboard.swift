extension PinPadKey {
    /// The key that a key of a keyboard stands for: digits of every script, backspace and delete, return and enter, escape.
    ///
    /// - Parameter character: What the keyboard gives, as the text systems of Apple and terminals write it.
    /// - Returns: Nil if it stands for none; nothing else is taken from a keyboard.
    public init?(keyboard character: Character) {
        switch character {
        case "\u{8}", "\u{7F}", "\u{F728}": self = .delete
        case "\r", "\n", "\u{3}", "\r\n": self = .submit
        case "\u{1B}": self = .cancel
        default:
            guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1,
                scalar.properties.generalCategory == .decimalNumber, let value = character.wholeNumberValue,
                let digit = PinDigit(rawValue: UInt8(value))
            else { return nil }
            self = .digit(digit)
        }
    }
}
