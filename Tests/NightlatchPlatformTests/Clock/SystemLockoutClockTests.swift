import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("System clock")
struct SystemLockoutClockTests {
    @Test("The clock never goes back")
    func monotonic() {
        let clock = SystemLockoutClock()
        var last = clock.continuousTime()
        for _ in 0..<1000 {
            let now = clock.continuousTime()
            #expect(now >= last)
            last = now
        }
        #expect(last > .zero)
    }

    @Test(
        "The clock counts the time since the system was started", .enabled(if: Self.uptime != nil, "needs /proc/uptime")
    )
    func sinceBoot() throws {
        let before = try #require(Self.uptime)
        let clock = SystemLockoutClock().continuousTime()
        let after = try #require(Self.uptime)
        // The file counts in hundredths of a second.
        #expect(clock >= .seconds(before) - .milliseconds(10))
        #expect(clock <= .seconds(after) + .milliseconds(10))
    }

    #if !canImport(Darwin)
    @Test(
        "The clock identifies the current boot by the kernel's boot id",
        .enabled(if: Self.bootID != nil, "needs boot_id"))
    func boot() throws {
        let text = try #require(Self.bootID)
        #expect(SystemLockoutClock().boot == BootID(text.uppercased()))
        #expect(SystemLockoutClock().boot == SystemLockoutClock().boot)
    }

    @Test("A boot id from a file outside the kernel is ignored: a container can mount one while the clock runs")
    func mountedOver() throws {
        let folder = TemporaryFolder()
        try folder.make()
        try Data("0f5c9d0e-7a55-4d0e-9a57-5ad0f6b5a001\n".utf8).write(to: URL(fileURLWithPath: folder.file))
        #expect(BootID.kernelText(at: folder.file) == nil)
        #expect(BootID.kernelText(at: folder.file + "-missing") == nil)
    }

    private static var bootID: String? { BootID.kernelText(at: "/proc/sys/kernel/random/boot_id") }
    #endif

    private static var uptime: Double? {
        guard let text = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.flatMap { Double($0) }
    }
}
