/// Random bytes that nobody can predict.
enum RandomBytes {
    /// `count` bytes from the system's cryptographically secure generator. Whoever makes a secret of them sees to it that they
    /// do not stay in memory.
    static func make(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        // The generator asks the system anew for each number, so whole words are taken.
        while bytes.count < count {
            unsafe withUnsafeBytes(of: generator.next()) { word in
                unsafe bytes.append(contentsOf: word.prefix(count - bytes.count))
            }
        }
        return bytes
    }
}
