/// Counts the typing errors between two words: letters left out, added, replaced, or swapped with the next one (the
/// optimal string alignment distance).
enum SpellingDistance {
    static func between(_ typed: some RandomAccessCollection<UInt8>, _ word: RecoveryWord) -> Int {
        // Three rows of the table, on the stack, so that no copy of the typed word remains.
        var rowBeforeLast = SIMD16<UInt8>()
        var lastRow = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        var lastLetter: UInt8 = 0
        for (row, typedLetter) in typed.lazy.map(\.asciiLowercased).enumerated() {
            var thisRow = SIMD16<UInt8>()
            thisRow[0] = UInt8(row + 1)
            for column in 0..<word.letterCount {
                let isSame = typedLetter == word.letter(column)
                var distance = min(
                    lastRow[column + 1] + 1, thisRow[column] + 1, lastRow[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, typedLetter == word.letter(column - 1), lastLetter == word.letter(column) {
                    distance = min(distance, rowBeforeLast[column - 1] + 1)
                }
                thisRow[column + 1] = distance
            }
            (rowBeforeLast, lastRow, lastLetter) = (lastRow, thisRow, typedLetter)
        }
        return Int(lastRow[word.letterCount])
    }
}
