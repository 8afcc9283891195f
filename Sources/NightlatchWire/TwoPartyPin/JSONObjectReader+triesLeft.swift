extension JSONObjectReader {
    /// Reads the number of guesses that are left, from 0 to ``PinGuessIDs/countLimit``.
    func triesLeft() throws -> Int {
        let count: Int = try value("tries_left", as: Int.self)
        guard (0...PinGuessIDs.countLimit).contains(count) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [JSONKey("tries_left")], debugDescription: "more guesses than the maximum"))
        }
        return count
    }
}
