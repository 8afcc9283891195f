import Foundation
import Nightlatch

/// Frees blocks that contain a secret, as a library does, and looks for the secret in newly allocated blocks. The
/// allocator returns the freed blocks again.
///
/// The process has one thread, so no other code can take the freed blocks in between, or give them back later. So
/// load changes no result: after the overwriting, no new block contains the secret; without it, some do in every run.
package struct FreedBlockInspection: Codable, Sendable {
    package struct Findings: Codable, Sendable {
        /// The number of new blocks that contain the secret, for each run.
        package var blockCounts: [Int] = []
        /// The number of the process's threads after the last run.
        package var threadCount = 0
    }

    /// The number of blocks that are freed. An allocator keeps fewer for a thread (glibc: seven of each size).
    private static let blockCount = 12

    let byteCount: Int
    let runCount: Int
    let isOverwritten: Bool

    /// - Parameters:
    ///   - byteCount: The size of each block, a multiple of eight.
    ///   - isOverwritten: Whether the blocks are freed inside ``CryptographyResidue/wiping(_:)``.
    package init(byteCount: Int, runCount: Int, isOverwritten: Bool) {
        self.byteCount = byteCount
        self.runCount = runCount
        self.isOverwritten = isOverwritten
    }

    /// Reads the inspection from standard input, carries it out, and writes the findings to standard output.
    static func run() throws {
        let input = try FileHandle.standardInput.readToEnd() ?? Data()
        let findings = try JSONDecoder().decode(FreedBlockInspection.self, from: input).findings()
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(findings))
    }

    private func findings() throws -> Findings {
        var findings = Findings()
        for _ in 0..<runCount {
            // Each run has its own secret, because the blocks of the run before still contain that run's secret.
            let secret = UInt64.random(in: .min ... .max)
            if isOverwritten {
                CryptographyResidue.wiping { leave(secret) }
            } else {
                leave(secret)
            }
            findings.blockCounts.append(leftovers(of: secret))
        }
        findings.threadCount = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        return findings
    }

    private func leave(_ secret: UInt64) {
        let blocks = allocate(Self.blockCount)
        for block in blocks { fill(block, with: secret) }
        free(blocks)
    }

    /// Allocates more blocks than were freed, so that the allocator returns all of those.
    private func leftovers(of secret: UInt64) -> Int {
        let blocks = allocate(Self.blockCount + 4)
        defer { free(blocks) }
        return blocks.count { holds($0, secret) }
    }

    // Each function below is a separate call. Otherwise the optimiser may remove writes to a block that is freed next,
    // and reads of a block that was just allocated.

    @inline(never)
    private func allocate(_ count: Int) -> [UInt] {
        (0..<count).map { _ in UInt(bitPattern: unsafe malloc(byteCount)) }
    }

    @inline(never)
    private func free(_ blocks: [UInt]) {
        for block in blocks { unsafe Foundation.free(UnsafeMutableRawPointer(bitPattern: block)) }
    }

    @inline(never)
    private func fill(_ block: UInt, with secret: UInt64) {
        unsafe words(of: block).update(repeating: secret)
    }

    /// The first two words are skipped: the allocator writes them when a block is freed.
    @inline(never)
    private func holds(_ block: UInt, _ secret: UInt64) -> Bool {
        unsafe words(of: block).dropFirst(2).contains(secret)
    }

    private func words(of block: UInt) -> UnsafeMutableBufferPointer<UInt64> {
        unsafe UnsafeMutableBufferPointer(start: UnsafeMutablePointer(bitPattern: block), count: byteCount / 8)
    }
}
