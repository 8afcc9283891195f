#if os(Linux)
import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchVaultProcess
import Testing

/// A process with another wall clock than the system's, in all of its libraries. Its continuous clock is the system's.
@Suite("Vaults and the wall clock")
struct WallClockTests {
    private let folder = TemporaryFolder()

    @Test(
        "A wall clock that is ten years off changes no wait, because a vault never reads it", arguments: [10, -10, 0])
    func tenYears(years: Int) async throws {
        let path = folder.path + "/vault"
        let vault = try Vault.forWaiting(FileStore(path: path))
        try await vault.create(TestPin.right)
        let clock = SystemLockoutClock()
        let before = clock.continuousTime()
        await #expect(throws: UnlockError.self) { try await vault.unlock(TestPin.wrong) }

        let shift = years * 365 * 24 * 60 * 60
        let output = try await VaultProcess.output(
            .askUnderAnotherClock, path: path, arguments: ["\(shift)", TestPin.right])
        let passed = clock.continuousTime() - before
        let report = try JSONDecoder().decode(WallClockReport.self, from: output)

        // The process really has that wall clock.
        let seen = Date(timeIntervalSince1970: TimeInterval(report.wallClockSeconds) - TimeInterval(shift))
        #expect(abs(seen.timeIntervalSinceNow) < 60 * 60)
        let left = Duration.milliseconds(try #require(report.waitLeftMilliseconds))
        let wait = Duration.seconds(24 * 60 * 60)
        #expect((wait - passed - .milliseconds(2)...wait).contains(left))
        #expect(report.isRefusedByWait)
        #expect(report.readingCount == 0)
        #expect(try await FileStore(path: path).failures() == 1)
    }
}
#endif
