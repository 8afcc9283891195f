/// Which parameters are believed when they are read. Below the floor a planted record would make guessing cheap, above the
/// ceiling it would freeze the app; both are refused before an attempt is charged.
public struct KeyDerivationBounds: Hashable, Sendable {
    private let iterations: ClosedRange<Int>

    /// PBKDF2 from 100,000 to 10,000,000 iterations.
    public static let standard = KeyDerivationBounds(iterations: 100_000...10_000_000)

    /// Other bounds than the standard ones are for tests, through the testing module.
    package init(iterations: ClosedRange<Int>) {
        self.iterations = iterations
    }

    /// Whether `parameters` lie within the bounds.
    public func contain(_ parameters: KeyDerivationParameters) -> Bool {
        switch parameters {
        case .pbkdf2(let iterations): self.iterations.contains(iterations)
        }
    }
}
