extension JSONObjectReader {
    /// A number of guesses that a relying party may have left.
    func triesLeft() throws -> Int {
        let count: Int = try value("tries_left", as: Int.self)
        guard (0...PinGuessIDs.countLimit).contains(count) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [JSONKey("tries_left")], debugDescription: "more guesses than there can be"))
        }
        return count
    }
}
