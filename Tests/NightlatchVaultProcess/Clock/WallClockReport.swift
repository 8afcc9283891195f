import CWallClock
import Foundation
import Nightlatch
import NightlatchPlatform

/// The report of a process with a shifted wall clock on a vault with a wait.
package struct WallClockReport: Codable, Sendable {
    /// The process's wall clock, in seconds since 1970.
    package private(set) var wallClockSeconds: Int64
    /// The rest of the wait, by the vault's state.
    package private(set) var waitLeftMilliseconds: Int64?
    /// Whether an attempt was refused because of the wait, without a test.
    package private(set) var isRefusedByWait = false
    /// The number of reads of the wall clock during both calls to the vault.
    package private(set) var readingCount: UInt64 = 0

    static func print(path: String, shift: String, wrong: String) async throws {
        wall_clock_shift(Int64(shift) ?? 0)
        var report = WallClockReport(wallClockSeconds: Int64(Date().timeIntervalSince1970))
        wall_clock_shift(Int64(shift) ?? 0)
        let vault = try Vault.forWaiting(FileStore(path: path))
        if case .waiting(let left, _) = try await vault.state() {
            report.waitLeftMilliseconds = Int64(left / .milliseconds(1))
        }
        do {
            _ = try await vault.unlock(with: Pin(wrong))
        } catch UnlockError.refused(.waiting) {
            report.isRefusedByWait = true
        }
        report.readingCount = wall_clock_readings()
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(report))
    }

    private init(wallClockSeconds: Int64) {
        self.wallClockSeconds = wallClockSeconds
    }
}
