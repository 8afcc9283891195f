/// A key of the pad, or one of the choices that stand beside it.
public enum PinPadKey: Hashable, Sendable {
    case digit(PinDigit)
    /// Takes the digit back that was typed last.
    case delete
    /// The PIN is complete. There is such a key only where the pad does not know how long a PIN is.
    case submit
    /// Biometrics in place of the PIN.
    case biometrics
    /// Back to where the person came from; while the pad asks whether the PIN is really forgotten, back to typing it.
    case cancel
    /// The PIN is forgotten. The pad asks whether it is to be given up before anything happens.
    case forgotten
    /// Yes, the PIN is given up, for good.
    case giveUp
}

/// One of the ten digits.
public enum PinDigit: UInt8, Hashable, Sendable, CaseIterable {
    case zero, one, two, three, four, five, six, seven, eight, nine

    /// Its character in ASCII, as a PIN holds it.
    var ascii: UInt8 { UInt8(ascii: "0") + rawValue }
}
