import CWallClock
import Foundation
import Nightlatch
import NightlatchPlatform

/// What a process whose wall clock is another one says of a vault that waits.
package struct WallClockReport: Codable, Sendable {
    /// What the process takes for the time, in seconds since 1970.
    package private(set) var wallClockSeconds: Int64
    /// How much of the wait is left, as the vault's state says.
    package private(set) var waitLeftMilliseconds: Int64?
    /// Whether a PIN was refused because of the wait, untried.
    package private(set) var isRefusedByWait = false
    /// How often the wall clock was read while the vault was asked for both.
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
