/// Finds the words of ``EnglishWords`` by index, by spelling and by similarity.
enum RecoveryWordList {
    /// The sorted words. The index of a word is its eleven-bit value.
    static let words = EnglishWords.text.utf8.split(separator: 0x20).compactMap { RecoveryWord(letters: $0) }

    /// Returns the index of a word, or nil if it is not in the list.
    static func index(of letters: some Collection<UInt8>) -> Int? {
        guard let word = RecoveryWord(letters: letters) else { return nil }
        var places = words.indices
        while let middle = places.middle {
            if words[middle] == word { return middle }
            places = words[middle].number < word.number ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return nil
    }

    /// Returns at most three words that the typed letters may mean, if they are no word of the list.
    ///
    /// A word with the same first four letters comes first; at most one word has them. Then follow the words that are
    /// one or two typing errors away, the most similar first.
    static func nearest(to typed: some RandomAccessCollection<UInt8>) -> [RecoveryWord] {
        let slipLimit = typed.count > 4 ? 2 : 1
        guard typed.count <= RecoveryWord.letterLimit + slipLimit else { return [] }
        let found = words.compactMap { word -> (word: RecoveryWord, slips: Int)? in
            if startsAlike(typed, word) { return (word, 0) }
            guard abs(typed.count - word.letterCount) <= slipLimit else { return nil }
            let slips = SpellingDistance.between(typed, word)
            return slips <= slipLimit ? (word, slips) : nil
        }
        // The sort is stable: equally similar words stay in the order of the list.
        return found.sorted { $0.slips < $1.slips }.prefix(3).map(\.word)
    }

    private static func startsAlike(_ typed: some RandomAccessCollection<UInt8>, _ word: RecoveryWord) -> Bool {
        typed.count >= 4 && word.letterCount >= 4
            && typed.prefix(4).lazy.map(\.asciiLowercased).elementsEqual((0..<4).lazy.map(word.letter))
    }
}

extension Range<Int> {
    fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
