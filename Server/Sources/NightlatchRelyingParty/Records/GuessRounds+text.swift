extension GuessRounds: CustomStringConvertible {
    /// Reads rounds as operators write them: guesses and waits in turn, separated by commas. An example is
    /// `4,1m,4,5m,4,1h,4`.
    ///
    /// A wait is a whole number and a unit: `s`, `m` or `h`.
    ///
    /// - Throws: ``GuessRoundsError`` for a text of another form, and for values that make no valid policy.
    public init(text: String) throws(GuessRoundsError) {
        // Checked first, because the text may come from anywhere.
        guard text.utf8.count <= Self.longestText else { throw .rounds }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var guesses: [Int] = []
        var waits: [Duration] = []
        for (place, part) in parts.enumerated() {
            if place.isMultiple(of: 2) {
                guard let count = Self.number(part) else { throw .guesses }
                guesses.append(count)
            } else {
                guard let unit = part.last.flatMap({ Self.units[$0] }), let count = Self.number(part.dropLast()) else {
                    throw .waits
                }
                waits.append(.seconds(count * unit))
            }
        }
        try self.init(guesses: guesses, waits: waits)
    }

    /// The text that ``init(text:)`` reads, with the largest unit that is exact for each wait.
    public var description: String {
        var parts = [String(guesses[0])]
        for (wait, count) in zip(waits, guesses.dropFirst()) {
            let seconds = Int(wait.components.seconds)
            let (unit, length) = Self.unitsBySize.first { seconds.isMultiple(of: $0.length) } ?? ("s", 1)
            parts += ["\(seconds / length)\(unit)", String(count)]
        }
        return parts.joined(separator: ",")
    }

    private static let longestText = 400
    private static let unitsBySize: [(name: Character, length: Int)] = [("h", 3600), ("m", 60), ("s", 1)]
    private static let units: [Character: Int] = ["h": 3600, "m": 60, "s": 1]

    /// Reads up to five decimal digits: no valid part has more.
    private static func number(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
