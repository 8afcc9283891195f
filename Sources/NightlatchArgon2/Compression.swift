extension Argon2id {
    /// The compression function `G` (RFC 9106, section 3.5): the permutation on each of the eight rows of the sum of two blocks,
    /// then on each of its eight columns, and the sum added once more.
    ///
    /// - Parameters:
    ///   - adding: Whether what `target` holds is added too, as in every pass after the first.
    ///   - rows: Room for a block.
    @inline(__always)
    static func compress(_ previous: Block, _ reference: Block, into target: Block, adding: Bool, rows: Block) {
        for row in stride(from: 0, to: 8, by: 2) {
            var first = unsafe Permutation(ofRow: row, previous, reference)
            var second = unsafe Permutation(ofRow: row &+ 1, previous, reference)
            Permutation.permute(&first, &second)
            first.forEachPair { pair, words in unsafe rows[row &* 8 &+ pair] = words }
            second.forEachPair { pair, words in unsafe rows[row &* 8 &+ 8 &+ pair] = words }
        }
        @inline(__always)
        func store(_ words: SIMD2<UInt64>, at index: Int) {
            let sum = unsafe words ^ previous[index] ^ reference[index]
            unsafe target[index] = adding ? sum ^ target[index] : sum
        }
        for column in stride(from: 0, to: 8, by: 2) {
            var first = unsafe Permutation(ofColumn: column, rows)
            var second = unsafe Permutation(ofColumn: column &+ 1, rows)
            Permutation.permute(&first, &second)
            first.forEachPair { pair, words in store(words, at: column &+ pair &* 8) }
            second.forEachPair { pair, words in store(words, at: column &+ 1 &+ pair &* 8) }
        }
    }
}
