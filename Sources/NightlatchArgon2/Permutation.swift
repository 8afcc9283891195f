extension Argon2id {
    /// The permutation `P` of sixteen words (RFC 9106, section 3.6): a round of BLAKE2b with products mixed into its sums.
    ///
    /// Half the speed hangs on the compiler making vector instructions of it, which is why it is written as it is. Swift's own
    /// shifts go lane by lane: two of them, or an "or" over one, would be made a rotation of each lane by itself; a product and
    /// a sum in their places keep the words together. `make bench` shows it if a compiler no longer does.
    struct Permutation {
        private typealias Words = SIMD4<UInt64>

        private var a: Words
        private var b: Words
        private var c: Words
        private var d: Words

        /// A row of the sum of two blocks.
        @inline(__always)
        init(ofRow row: Int, _ previous: Block, _ reference: Block) {
            let x = unsafe previous + row &* 8
            let y = unsafe reference + row &* 8
            a = unsafe SIMD4(lowHalf: x[0] ^ y[0], highHalf: x[1] ^ y[1])
            b = unsafe SIMD4(lowHalf: x[2] ^ y[2], highHalf: x[3] ^ y[3])
            c = unsafe SIMD4(lowHalf: x[4] ^ y[4], highHalf: x[5] ^ y[5])
            d = unsafe SIMD4(lowHalf: x[6] ^ y[6], highHalf: x[7] ^ y[7])
        }

        /// A column, two words wide, of a block.
        @inline(__always)
        init(ofColumn column: Int, _ block: Block) {
            let x = unsafe block + column
            a = unsafe SIMD4(lowHalf: x[0], highHalf: x[8])
            b = unsafe SIMD4(lowHalf: x[16], highHalf: x[24])
            c = unsafe SIMD4(lowHalf: x[32], highHalf: x[40])
            d = unsafe SIMD4(lowHalf: x[48], highHalf: x[56])
        }

        /// Hands over each pair of words, with its place among the eight.
        @inline(__always)
        func forEachPair(_ body: (Int, SIMD2<UInt64>) -> Void) {
            body(0, a.lowHalf)
            body(1, a.highHalf)
            body(2, b.lowHalf)
            body(3, b.highHalf)
            body(4, c.lowHalf)
            body(5, c.highHalf)
            body(6, d.lowHalf)
            body(7, d.highHalf)
        }

        /// Permutes two by turns: the steps of one wait for each other, and the processor works on the other meanwhile.
        @inline(__always)
        static func permute(_ first: inout Self, _ second: inout Self) {
            first.mixColumns()
            second.mixColumns()
            first.turnDiagonalsToColumns()
            second.turnDiagonalsToColumns()
            first.mixColumns()
            second.mixColumns()
            first.turnColumnsToDiagonals()
            second.turnColumnsToDiagonals()
        }

        @inline(__always)
        private mutating func turnDiagonalsToColumns() {
            (b, c, d) = (SIMD4(b.y, b.z, b.w, b.x), SIMD4(c.z, c.w, c.x, c.y), SIMD4(d.w, d.x, d.y, d.z))
        }

        @inline(__always)
        private mutating func turnColumnsToDiagonals() {
            (b, c, d) = (SIMD4(b.w, b.x, b.y, b.z), SIMD4(c.z, c.w, c.x, c.y), SIMD4(d.y, d.z, d.w, d.x))
        }

        /// The function `GB`, on four columns at once.
        @inline(__always)
        private mutating func mixColumns() {
            a = sumAndProduct(a, b)
            d = rotateRight(d ^ a, by: 32)
            c = sumAndProduct(c, d)
            b = rotateRight(b ^ c, by: 24)
            a = sumAndProduct(a, b)
            d = rotateRight(d ^ a, by: 16)
            c = sumAndProduct(c, d)
            b = rotateRight(b ^ c, by: 63)
        }

        /// `x + y + 2 · low(x) · low(y)`, where `low` is the lower half of a word.
        @inline(__always)
        private func sumAndProduct(_ x: Words, _ y: Words) -> Words {
            let low = Words(repeating: 0xFFFF_FFFF)
            let product = (x & low) &* (y & low)
            return x &+ y &+ (product &+ product)
        }

        @inline(__always)
        private func rotateRight(_ words: Words, by count: UInt64) -> Words {
            (words &>> Words(repeating: count)) &+ (words &* Words(repeating: 1 &<< (64 &- count)))
        }
    }
}
