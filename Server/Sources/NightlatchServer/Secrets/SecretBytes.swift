/// New secrets.
enum SecretBytes {
    /// `count` bytes from the system's cryptographically secure generator.
    static func random(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
