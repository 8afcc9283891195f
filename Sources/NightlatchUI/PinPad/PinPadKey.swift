/// A key of the pad, or one of the buttons below it.
public enum PinPadKey: Hashable, Sendable {
    case digit(PinDigit)
    /// Deletes the last digit.
    case delete
    /// The PIN is complete. The pad has this key if it does not know the PIN's length, or if a whole PIN was typed
    /// ahead.
    case submit
    /// Use biometrics instead of the PIN.
    case biometrics
    /// Cancel. While the pad asks whether the PIN is really forgotten, this returns to entering it.
    case cancel
    /// The PIN is forgotten. The pad first asks whether to give it up.
    case forgotten
    /// Give up the PIN. This cannot be undone.
    case giveUp
}

/// One of the ten digits.
public enum PinDigit: UInt8, Hashable, Sendable, CaseIterable {
    case zero, one, two, three, four, five, six, seven, eight, nine

    /// The digit's ASCII character, as in a PIN.
    var ascii: UInt8 { UInt8(ascii: "0") + rawValue }
}
