/// The order of the digits on the pad.
public struct PinPadOrder: Hashable, Sendable {
    /// The ten digits, row by row from the top. The last is in the bottom row, between biometrics and delete.
    public let digits: [PinDigit]

    /// The order of a telephone: 1 to 9, and 0 below.
    public static let telephone = PinPadOrder(PinDigit.allCases.dropFirst() + [.zero])

    /// Returns a random order; all orders are equally likely. Smudges on the glass and the movement of a finger then do
    /// not reveal the PIN.
    public static func shuffled(using generator: inout some RandomNumberGenerator) -> PinPadOrder {
        PinPadOrder(PinDigit.allCases.shuffled(using: &generator))
    }

    private init(_ digits: [PinDigit]) {
        self.digits = digits
    }
}
