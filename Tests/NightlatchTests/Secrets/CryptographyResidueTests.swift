import Nightlatch
import Testing

#if canImport(Glibc)
import Glibc

/// A library frees blocks with secrets in them, of each size that it is known to use. The allocator gives the same blocks out again, so what is
/// left in them can be looked at.
@Suite("What libraries leave in freed blocks")
struct CryptographyResidueTests {
    private static let pattern: UInt8 = 0xA7

    @Test(
        "PV7: blocks of the sizes that swift-crypto frees are overwritten", arguments: [24, 40, 72, 104, 136, 232, 600])
    func knownSizes(byteCount: Int) {
        CryptographyResidue.wiping { Self.leave(byteCount) }
        #expect(Self.leftovers(byteCount) == 0)
    }

    @Test(
        "PV7: where sizes are not known, blocks of every size are overwritten, many of one size too",
        arguments: [24, 56, 120, 136, 200, 216, 328, 504, 760, 1016])
    func anySize(byteCount: Int) {
        CryptographyResidue.wipingBlocksOfAnySize { Self.leave(byteCount, blockCount: 12) }
        #expect(Self.leftovers(byteCount) == 0)
    }

    @Test("Without that they are found", arguments: [40, 136, 200, 600])
    func control(byteCount: Int) {
        Self.leave(byteCount)
        #expect(Self.leftovers(byteCount) > 0)
    }

    @inline(never)
    private static func leave(_ byteCount: Int, blockCount: Int = 3) {
        var blocks: [UInt] = []
        for _ in 0..<blockCount {
            guard let block = unsafe malloc(byteCount) else { continue }
            unsafe memset(block, Int32(pattern), byteCount)
            blocks.append(UInt(bitPattern: block))
        }
        for block in blocks { unsafe free(UnsafeMutableRawPointer(bitPattern: block)) }
    }

    /// How many of the blocks that are handed out next still hold the pattern, where the allocator has written nothing of its own.
    @inline(never)
    private static func leftovers(_ byteCount: Int) -> Int {
        var (blocks, count): ([UInt], Int) = ([], 0)
        for _ in 0..<16 {
            guard let block = unsafe malloc(byteCount) else { continue }
            blocks.append(UInt(bitPattern: block))
            let bytes = unsafe UnsafeRawBufferPointer(start: block, count: byteCount)
            if unsafe bytes.dropFirst(16).contains(pattern) { count += 1 }
        }
        for block in blocks { unsafe free(UnsafeMutableRawPointer(bitPattern: block)) }
        return count
    }
}
#endif
