extension PinPadKey {
    /// Creates the pad key for a key of a keyboard: digits of every script, backspace and delete, return and enter,
    /// escape.
    ///
    /// Returns nil for every other key.
    ///
    /// - Parameter character: The keyboard's character, as Apple's text systems and terminals report it.
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
