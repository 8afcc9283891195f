import Nightlatch
import NightlatchWire
import Testing

@Suite("Lockout rules")
struct LockoutTests {
    private let lockout = Lockout(policy: .login)

    @Test(
        "Under the login policy each failure in a row has its wait, and the tenth is the end",
        arguments: [
            (1, 0), (2, 0), (3, 30), (4, 300), (5, 1800), (6, 1800), (7, 1800), (8, 1800), (9, 1800),
        ])
    func loginTable(failures: Int, waitSeconds: Int) {
        let ledger = ledger(afterFailures: failures, at: .seconds(50))
        #expect(ledger.failures == failures)
        #expect(ledger.waitMilliseconds == Int64(waitSeconds) * 1000)
        #expect(lockout.triesLeft(ledger) == 10 - failures)
        let decision = lockout.decide(ledger, now: .seconds(50))
        #expect(decision == (waitSeconds == 0 ? .mayTry : .wait(.seconds(waitSeconds), rebased: nil)))
    }

    @Test("The tenth failure blocks without end")
    func end() {
        let ledger = ledger(afterFailures: 10, at: .zero)
        for uptime in [Duration.zero, .seconds(1800), .seconds(1_000_000_000)] {
            #expect(lockout.decide(ledger, now: uptime) == .blocked)
        }
        #expect(lockout.triesLeft(ledger) == 0)
    }

    @Test("A clear ledger allows an attempt at any uptime", arguments: [Duration.zero, .seconds(1), .seconds(1e9)])
    func clear(uptime: Duration) {
        #expect(lockout.decide(.clear, now: uptime) == .mayTry)
        #expect(lockout.triesLeft(.clear) == 10)
    }

    @Test("The charge contains the attempt, the count and the clock")
    func charge() {
        let attempt = AttemptID.random()
        let ledger = lockout.charging(attempt, to: .clear, now: .milliseconds(12_345))
        #expect(ledger.failures == 1)
        #expect(ledger.chargedAttempt == attempt)
        #expect(ledger.waitMilliseconds == 0)
        #expect(ledger.clockMilliseconds == 12_345)
    }

    @Test("Only the verdict on the last attempt ends the PIN")
    func verdict() {
        let attempt = AttemptID.random()
        let last = lockout.charging(attempt, to: ledger(afterFailures: 9, at: .zero), now: .zero)
        #expect(lockout.ends(attempt, in: last))
        #expect(!lockout.ends(.random(), in: last))
        #expect(!lockout.ends(attempt, in: lockout.charging(attempt, to: .clear, now: .zero)))
        var interrupted = last
        interrupted.chargedAttempt = nil
        #expect(!lockout.ends(attempt, in: interrupted))
    }

    @Test("A policy with a single attempt blocks without a wait")
    func limitOfOne() throws {
        let lockout = Lockout(policy: try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(1)], limit: 1))
        let attempt = AttemptID.random()
        let ledger = lockout.charging(attempt, to: .clear, now: .zero)
        #expect(lockout.decide(ledger, now: .zero) == .blocked)
        #expect(lockout.ends(attempt, in: ledger))
    }

    @Test(
        "Clocks at the limits of their range are handled",
        arguments: [
            Duration.zero, .milliseconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min), .milliseconds(Int64.min),
            .milliseconds(Int64.max) + .milliseconds(1),
        ])
    func extremeClocks(uptime: Duration) {
        let ledger = ledger(afterFailures: 3, at: uptime)
        for now in [uptime, .zero, .seconds(Int64.max), .seconds(Int64.min)] {
            #expect(lockout.decide(ledger, now: now) != .blocked)
        }
    }

    private func ledger(afterFailures failures: Int, at uptime: Duration) -> LockoutLedger {
        (0..<failures).reduce(.clear) { ledger, _ in lockout.charging(.random(), to: ledger, now: uptime) }
    }
}
