import Nightlatch
import Testing

#if canImport(Glibc)
import Glibc

/// A library frees blocks that contain secrets. The allocator returns the same blocks again, so the test can read their
/// remaining content.
@Suite("Remaining secrets in freed blocks")
struct CryptographyResidueTests {
    @Test(
        "Freed blocks of every size are overwritten, also several of one size",
        arguments: [24, 40, 56, 72, 104, 120, 136, 200, 216, 232, 328, 504, 600, 760, 1016])
    func anySize(byteCount: Int) {
        let count = cleanRuns(of: 20) { pattern in
            CryptographyResidue.wiping { leave(pattern, byteCount) }
            return leftovers(of: pattern, byteCount)
        }
        #expect(count > 10)
    }

    @Test("Without the overwriting, few runs are clean", arguments: [40, 136, 200, 600])
    func control(byteCount: Int) {
        let count = cleanRuns(of: 20) { pattern in
            leave(pattern, byteCount)
            return leftovers(of: pattern, byteCount)
        }
        #expect(count < 10)
    }

    /// The number of runs that find no block with the pattern. Other tests allocate at the same time and may take a
    /// block, so a single run shows nothing. Each run has its own pattern, because a block that was taken may return at
    /// any time.
    private func cleanRuns(of count: Int, _ run: (UInt64) -> Int) -> Int {
        (0..<count).count { _ in run(Self.newPattern()) == 0 }
    }

    /// The secret that the library leaves. No other test uses it.
    private static func newPattern() -> UInt64 { .random(in: .min ... .max) }

    @inline(never)
    private func leave(_ pattern: UInt64, _ byteCount: Int) {
        var blocks: [UInt] = []
        for _ in 0..<12 {
            guard let block = unsafe malloc(byteCount) else { continue }
            for offset in stride(from: 0, to: byteCount, by: 8) {
                unsafe block.storeBytes(of: pattern, toByteOffset: offset, as: UInt64.self)
            }
            blocks.append(UInt(bitPattern: block))
        }
        for block in blocks { unsafe free(UnsafeMutableRawPointer(bitPattern: block)) }
    }

    /// The number of newly allocated blocks that still contain the pattern. The part of a block that the allocator
    /// itself writes is skipped.
    @inline(never)
    private func leftovers(of pattern: UInt64, _ byteCount: Int) -> Int {
        var (blocks, count): ([UInt], Int) = ([], 0)
        for _ in 0..<16 {
            guard let block = unsafe malloc(byteCount) else { continue }
            blocks.append(UInt(bitPattern: block))
            let isLeft = stride(from: 16, to: byteCount, by: 8).contains { offset in
                unsafe block.load(fromByteOffset: offset, as: UInt64.self) == pattern
            }
            if isLeft { count += 1 }
        }
        for block in blocks { unsafe free(UnsafeMutableRawPointer(bitPattern: block)) }
        return count
    }
}
#endif
