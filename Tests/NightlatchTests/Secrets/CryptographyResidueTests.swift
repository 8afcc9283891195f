#if canImport(Glibc)
import Foundation
import NightlatchVaultProcess
import Testing

/// A library frees blocks that contain secrets. The allocator returns the same blocks again, so a process can read
/// their remaining content.
///
/// The blocks are examined in a process with one thread. In this process, other tests allocate at the same time: they
/// take freed blocks, and give them back at any time.
@Suite("Remaining secrets in freed blocks")
struct CryptographyResidueTests {
    private static let runCount = 20
    private static let byteCounts = [24, 40, 56, 72, 104, 120, 136, 200, 216, 232, 328, 504, 600, 760, 1016]

    @Test(
        "Freed blocks of every size are overwritten, also several of one size",
        arguments: byteCounts, VaultProcess.Build.made)
    func anySize(byteCount: Int, build: VaultProcess.Build) async throws {
        let counts = try await leftovers(byteCount, isOverwritten: true, build)
        #expect(counts.allSatisfy { $0 == 0 }, "\(counts)")
    }

    @Test("Without the overwriting, no run is clean", arguments: byteCounts, VaultProcess.Build.made)
    func control(byteCount: Int, build: VaultProcess.Build) async throws {
        let counts = try await leftovers(byteCount, isOverwritten: false, build)
        // Not always all twelve: the allocator may write to freed blocks, or return other blocks first.
        #expect(counts.allSatisfy { $0 > 0 }, "\(counts)")
    }

    /// The number of blocks that still contain the secret, for each run.
    private func leftovers(_ byteCount: Int, isOverwritten: Bool, _ build: VaultProcess.Build) async throws -> [Int] {
        let inspection = FreedBlockInspection(
            byteCount: byteCount, runCount: Self.runCount, isOverwritten: isOverwritten)
        let output = try await VaultProcess.output(
            .lookIntoFreedBlocks, input: try JSONEncoder().encode(inspection), build: build)
        let findings = try JSONDecoder().decode(FreedBlockInspection.Findings.self, from: output)
        #expect(findings.threadCount == 1)
        #expect(findings.blockCounts.count == Self.runCount)
        return findings.blockCounts
    }
}
#endif
