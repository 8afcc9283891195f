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
            #expect(lockout.decide(ledger, now: now) == .wait(Self.wait - .milliseconds(passed), rebased: nil))
        }
        let end = Duration.seconds(uptime) + Self.wait
        #expect(lockout.decide(ledger, now: end - .milliseconds(1)) == .wait(.milliseconds(1), rebased: nil))
        #expect(lockout.decide(ledger, now: end) == .mayTry)
        #expect(lockout.decide(ledger, now: end + .seconds(1_000_000)) == .mayTry)
    }

    @Test("A clock that went back starts the wait again from now, and says what to write", arguments: moments)
    func back(newUptime: Int) {
        let ledger = waitingLedger(at: .seconds(1000))
        var rebased = ledger
        rebased.clockMilliseconds = Int64(newUptime) * 1000
        let now = Duration.seconds(newUptime)
        #expect(lockout.decide(ledger, now: now) == .wait(Self.wait, rebased: rebased))
        #expect(
            lockout.decide(rebased, now: now + Self.wait - .milliseconds(1)) == .wait(.milliseconds(1), rebased: nil))
        #expect(lockout.decide(rebased, now: now + Self.wait) == .mayTry)
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

    @Test("Starting the device again and again never shortens a wait")
    func manyReboots() {
        var ledger = waitingLedger(at: .seconds(5000))
        for boot in 0..<100 {
            guard case .wait(let left, let rebased) = lockout.decide(ledger, now: .seconds(29)) else {
                Issue.record("boot \(boot) ended the wait early")
                return
            }
            #expect(left > .zero)
            ledger = rebased ?? ledger
            // Each boot lasts for less than the device was up when the wait was written down.
            #expect(lockout.decide(ledger, now: .seconds(boot % 29)) != .mayTry)
        }
    }

    private func waitingLedger(at uptime: Duration) -> LockoutLedger {
        (0..<3).reduce(.clear) { ledger, _ in lockout.charging(.random(), to: ledger, now: uptime) }
    }
}
