/// BLAKE2b without a key ([RFC 7693](https://www.rfc-editor.org/rfc/rfc7693)), the hash function of Argon2.
///
/// The caller provides the memory for its state, and wipes it.
@safe
package struct BLAKE2b {
    /// The size of the memory for ``init(outputByteCount:in:)``: eight words of state and a block of sixteen words.
    package static let memoryByteCount = (8 + 16) * 8
    package static let longestOutputByteCount = 64
    private static let blockByteCount = 128

    private let state: UnsafeMutablePointer<UInt64>
    private let block: UnsafeMutableRawBufferPointer
    private let outputByteCount: Int
    private var bytesInBlock = 0
    private var byteCount: UInt64 = 0

    /// Begins a hash with an output of 1 to 64 bytes.
    package init(outputByteCount: Int, in memory: UnsafeMutableRawPointer) {
        precondition((1...Self.longestOutputByteCount).contains(outputByteCount))
        unsafe state = memory.bindMemory(to: UInt64.self, capacity: 8)
        unsafe block = UnsafeMutableRawBufferPointer(start: memory + 64, count: Self.blockByteCount)
        self.outputByteCount = outputByteCount
        for index in 0..<8 { unsafe state[index] = Self.initialState[index] }
        // The parameter block: no key, one leaf, no tree.
        unsafe state[0] ^= 0x0101_0000 ^ UInt64(outputByteCount)
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            // Compresses a full block only if more input follows, because the last block is compressed differently.
            if bytesInBlock == Self.blockByteCount { compress(isLast: false) }
            let count = unsafe min(Self.blockByteCount - bytesInBlock, rest.count)
            unsafe block[bytesInBlock..<bytesInBlock + count].copyBytes(from: rest.prefix(count))
            bytesInBlock += count
            byteCount += UInt64(count)
            unsafe rest = rest.dropFirst(count)
        }
    }

    /// Hashes `value` as four bytes, the least significant first.
    mutating func update(_ value: UInt32) {
        unsafe withUnsafeBytes(of: value.littleEndian) { bytes in unsafe update(bytes) }
    }

    /// Writes the hash to `output`, which must have room for it. The state cannot be used after this.
    package mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        unsafe block[bytesInBlock...].initializeMemory(as: UInt8.self, repeating: 0)
        compress(isLast: true)
        let words = unsafe UnsafeRawBufferPointer(start: state, count: outputByteCount)
        unsafe output.copyMemory(from: words)
    }

    @inline(never)  // Its stack data must be below the frame of the caller that wipes the stack.
    private mutating func compress(isLast: Bool) {
        func words(_ index: Int) -> SIMD4<UInt64> {
            unsafe SIMD4(state[index], state[index + 1], state[index + 2], state[index + 3])
        }
        func message(_ round: Int, _ first: Int) -> SIMD4<UInt64> {
            var words = SIMD4<UInt64>()
            for lane in 0..<4 {
                let index = Int(Self.schedule[round % 10][first + 2 * lane])
                words[lane] = unsafe UInt64(littleEndian: block.load(fromByteOffset: index * 8, as: UInt64.self))
            }
            return words
        }
        var (a, b) = (words(0), words(4))
        var c = SIMD4(Self.initialState[0], Self.initialState[1], Self.initialState[2], Self.initialState[3])
        var d = SIMD4(
            Self.initialState[4] ^ byteCount, Self.initialState[5], Self.initialState[6] ^ (isLast ? .max : 0),
            Self.initialState[7])
        for round in 0..<12 {
            Self.mix(&a, &b, &c, &d, message(round, 0), message(round, 1))
            (b, c, d) = (SIMD4(b.y, b.z, b.w, b.x), SIMD4(c.z, c.w, c.x, c.y), SIMD4(d.w, d.x, d.y, d.z))
            Self.mix(&a, &b, &c, &d, message(round, 8), message(round, 9))
            (b, c, d) = (SIMD4(b.w, b.x, b.y, b.z), SIMD4(c.z, c.w, c.x, c.y), SIMD4(d.y, d.z, d.w, d.x))
        }
        let (low, high) = (a ^ c, b ^ d)
        for lane in 0..<4 {
            unsafe state[lane] ^= low[lane]
            unsafe state[lane + 4] ^= high[lane]
        }
        bytesInBlock = 0
    }

    /// The function `G` on four columns, or diagonals, at once.
    private static func mix(
        _ a: inout SIMD4<UInt64>,
        _ b: inout SIMD4<UInt64>,
        _ c: inout SIMD4<UInt64>,
        _ d: inout SIMD4<UInt64>,
        _ x: SIMD4<UInt64>,
        _ y: SIMD4<UInt64>
    ) {
        func rotateRight(_ words: SIMD4<UInt64>, _ count: UInt64) -> SIMD4<UInt64> {
            (words &>> count) | (words &<< (64 - count))
        }
        a = a &+ b &+ x
        d = rotateRight(d ^ a, 32)
        c = c &+ d
        b = rotateRight(b ^ c, 24)
        a = a &+ b &+ y
        d = rotateRight(d ^ a, 16)
        c = c &+ d
        b = rotateRight(b ^ c, 63)
    }

    private static let initialState: [UInt64] = [
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
        0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    ]

    private static let schedule: [[UInt8]] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ]
}
