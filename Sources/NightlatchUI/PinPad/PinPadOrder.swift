/// In which order the digits stand on the pad.
public struct PinPadOrder: Hashable, Sendable {
    /// All ten, row by row from the top; the last stands alone between delete and biometrics.
    public let digits: [PinDigit]

    /// As on a telephone: 1 to 9, and 0 below.
    public static let telephone = PinPadOrder(PinDigit.allCases.dropFirst() + [.zero])

    /// Every order with the same probability, so that neither smudges on the glass nor the movement of a finger tell the PIN.
    public static func shuffled(using generator: inout some RandomNumberGenerator) -> PinPadOrder {
        PinPadOrder(PinDigit.allCases.shuffled(using: &generator))
    }

    private init(_ digits: [PinDigit]) {
        self.digits = digits
    }
}
