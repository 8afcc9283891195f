import Nightlatch
import NightlatchWire
import Testing

/// A device has real time, which nobody can read, and an uptime, which starts again at each boot.
@Suite("Lockout and the clock")
struct LockoutClockTests {
    private let lockout = Lockout(policy: .login)
    private static let wait = Duration.seconds(30)
    private static let moments = Array(stride(from: 0, through: 40, by: 1))

    @Test("Within one boot a wait ends at its time, to the millisecond", arguments: [0, 1, 86_400, 10_000_000])
    func oneBoot(uptime: Int) {
        let ledger = waitingLedger(at: .seconds(uptime))
        for passed in stride(from: 0, to: 30_000, by: 250) {
            let now = Duration.seconds(uptime) + .milliseconds(passed)
            guard case .wait(let left, let rebased) = lockout.decide(ledger, now: now) else {
                Issue.record("no wait after \(passed) ms")
                return
            }
            #expect(left == Self.wait - .milliseconds(passed))
            // Three seconds, a tenth of the wait, are worth a write.
            #expect((rebased == nil) == (passed < 3000))
            if let rebased {
                #expect(rebased.waitMilliseconds == 30_000 - Int64(passed))
                #expect(lockout.decide(rebased, now: now) == .wait(left, rebased: nil))
            }
        }
        let end = Duration.seconds(uptime) + Self.wait
        #expect(lockout.decide(ledger, now: end) == .mayTry)
        #expect(lockout.decide(ledger, now: end + .seconds(1_000_000)) == .mayTry)
    }

    @Test("After a restart the time since then counts, and the rest is written", arguments: moments)
    func back(newUptime: Int) {
        let ledger = waitingLedger(at: .seconds(1000))
        let now = Duration.seconds(newUptime)
        guard newUptime < 30 else {
            #expect(lockout.decide(ledger, now: now) == .mayTry)
            return
        }
        var rebased = ledger
        rebased.clockMilliseconds = Int64(newUptime) * 1000
        rebased.waitMilliseconds = 30_000 - Int64(newUptime) * 1000
        let left = Self.wait - now
        #expect(lockout.decide(ledger, now: now) == .wait(left, rebased: rebased))
        #expect(lockout.decide(rebased, now: .seconds(30) - .milliseconds(1)) != .mayTry)
        #expect(lockout.decide(rebased, now: .seconds(30)) == .mayTry)
    }

    @Test(
        "Starting the device again at any moment of a wait neither shortens it nor makes it endless", arguments: moments
    )
    func reboot(moment: Int) {
        // For each uptime at which the wait began and each at which the device is asked again after the boot.
        for began in Self.moments {
            for asked in Self.moments {
                var ledger = waitingLedger(at: .seconds(began))
                // At least the uptime after the boot has really passed, besides what passed before it.
                var passed = Duration.seconds(moment + asked)
                var uptime = Duration.seconds(asked)
                if case .wait(let left, let rebased) = lockout.decide(ledger, now: uptime) {
                    #expect(left <= Self.wait, "asked \(asked) s after the boot: longer than the wait")
                    ledger = rebased ?? ledger
                    uptime += left
                    passed += left
                }
                #expect(lockout.decide(ledger, now: uptime) == .mayTry, "began at \(began), asked at \(asked): no end")
                #expect(passed >= Self.wait, "began at \(began), asked at \(asked): too short")
            }
        }
    }

    @Test("LO5: a wait of a day ends on the second day, with 23 hours up on each and one look at the end of each")
    func restartsEachDay() throws {
        let policy = try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(86_400)], limit: 5)
        let lockout = Lockout(policy: policy)
        let ledger = lockout.charging(.random(), to: .clear, now: .zero)
        guard case .wait(let left, let rebased?) = lockout.decide(ledger, now: .seconds(23 * 3600)) else {
            Issue.record("nothing is written after 23 hours")
            return
        }
        #expect(left == .seconds(3600))
        #expect(lockout.decide(rebased, now: .seconds(3599)) != .mayTry)
        #expect(lockout.decide(rebased, now: .seconds(3600)) == .mayTry)
    }

    @Test(
        "LO5: however short the times between restarts are, a wait ends once as much has passed in them together",
        arguments: [1, 5, 10, 29])
    func manyRestarts(secondsUp: Int) {
        var ledger = waitingLedger(at: .seconds(5000))
        var passed = 0
        while case .wait(let left, let rebased) = lockout.decide(ledger, now: .seconds(secondsUp)) {
            passed += secondsUp
            #expect(left == Self.wait - .seconds(passed))
            guard passed < 100 else {
                Issue.record("no end")
                return
            }
            ledger = rebased ?? ledger
            // The last use before the device goes down: the clock stays ahead of the next start.
            ledger.clockMilliseconds = 5_000_000
        }
        #expect(passed + secondsUp >= 30)
    }

    private func waitingLedger(at uptime: Duration) -> LockoutLedger {
        (0..<3).reduce(.clear) { ledger, _ in lockout.charging(.random(), to: ledger, now: uptime) }
    }
}
