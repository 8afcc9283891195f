import Foundation
import Nightlatch
import NightlatchPlatform
import Testing

@Suite("System clock")
struct SystemLockoutClockTests {
    @Test("It never goes back")
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

    @Test("It is the time since the system was started", .enabled(if: Self.uptime != nil, "needs /proc/uptime"))
    func sinceBoot() throws {
        let before = try #require(Self.uptime)
        let clock = SystemLockoutClock().continuousTime()
        let after = try #require(Self.uptime)
        // The file counts in hundredths of a second.
        #expect(clock >= .seconds(before) - .milliseconds(10))
        #expect(clock <= .seconds(after) + .milliseconds(10))
    }

    private static var uptime: Double? {
        guard let text = try? String(contentsOfFile: "/proc/uptime", encoding: .utf8) else { return nil }
        return text.split(separator: " ").first.flatMap { Double($0) }
    }
}
