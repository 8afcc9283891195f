/// Random bytes that nobody can predict.
enum RandomBytes {
    /// `count` bytes from the system's cryptographically secure generator. Whoever makes a secret of them sees to it that they
    /// do not stay in memory.
    static func make(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
