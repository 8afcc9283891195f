import Foundation
import Nightlatch
import NightlatchWire
import Testing

/// A device has a real time, which it cannot read, and an uptime, which restarts at each boot.
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
            // Three seconds, a tenth of the wait, justify a write.
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

    @Test("A restart at any moment of a wait neither shortens it nor makes it endless", arguments: moments)
    func reboot(moment: Int) {
        // For each uptime at the beginning of the wait, and each uptime of a query after the boot.
        for began in Self.moments {
            for asked in Self.moments {
                var ledger = waitingLedger(at: .seconds(began))
                // The uptime after the boot has really passed, in addition to the time before it.
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

    @Test("A wait of a day ends on the second day, with an uptime of 23 hours and one query at the end of each day")
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
        "However short the times between restarts are, a wait ends when their sum is long enough",
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
            // The last use before the device is shut down: the clock stays ahead of the next start.
            ledger.clockMilliseconds = 5_000_000
        }
        #expect(passed + secondsUp >= 30)
    }

    // MARK: With boot ids

    @Test("With boot ids, a wait of a day ends on the second day, with one query after 23 hours of uptime each day")
    func sameUptimeEachDay() throws {
        let lockout = Lockout(policy: try LockoutPolicy(firstWaitAfter: 1, waits: [.seconds(86_400)], limit: 5))
        let uptime = Duration.seconds(23 * 3600)
        let ledger = lockout.charging(.random(), to: .clear, now: uptime, boot: BootID("Monday"))
        guard case .wait(let left, let rebased?) = lockout.decide(ledger, now: uptime, boot: BootID("Tuesday")) else {
            Issue.record("the first day is not written")
            return
        }
        #expect(left == .seconds(3600))
        // Queries on the same day count no hour twice.
        #expect(lockout.decide(rebased, now: uptime, boot: BootID("Tuesday")) == .wait(left, rebased: nil))
        #expect(lockout.decide(rebased, now: uptime, boot: BootID("Wednesday")) == .mayTry)
    }

    @Test("The hour of a wallet's policy ends after 50 minutes of uptime, a restart, and ten minutes of another 50")
    func fiftyMinutesUp() throws {
        let lockout = Lockout(policy: .wallet)
        let uptime = Duration.seconds(50 * 60)
        var ledger = LockoutLedger.clear
        for _ in 0..<8 { ledger = lockout.charging(.random(), to: ledger, now: uptime, boot: BootID("first")) }
        try #require(ledger.waitMilliseconds == 3_600_000)
        guard case .wait(let left, let rebased?) = lockout.decide(ledger, now: uptime, boot: BootID("second")) else {
            Issue.record("what has passed since the restart is not written")
            return
        }
        #expect(left == .seconds(600))
        #expect(lockout.decide(rebased, now: .seconds(599), boot: BootID("third")) != .mayTry)
        #expect(lockout.decide(rebased, now: .seconds(600), boot: BootID("third")) == .mayTry)
    }

    @Test("A loop of restarts counts only the time of its uptimes", arguments: [1, 2, 7])
    func loopOfRestarts(secondsUp: Int) {
        var ledger = charged(at: .seconds(secondsUp), BootID("0"))
        var passed = 0
        for boot in 1...100 {
            passed += secondsUp
            let decision = lockout.decide(ledger, now: .seconds(secondsUp), boot: BootID("\(boot)"))
            guard case .wait(let left, let rebased?) = decision else { break }
            #expect(left == Self.wait - .seconds(passed))
            ledger = rebased
        }
        #expect(passed >= 30 && passed < 30 + secondsUp)
    }

    @Test("A machine image that is restored repeatedly counts no time twice")
    func restoredImage() {
        let boot = BootID("of the image")
        var ledger = charged(at: .seconds(1000), boot)
        for _ in 0..<10 {
            // The image is from 500 seconds after its start.
            guard case .wait(let left, let rebased?) = lockout.decide(ledger, now: .seconds(505), boot: boot) else {
                Issue.record("ended, or the clock of now is not written")
                return
            }
            #expect(left == Self.wait)
            ledger = rebased
            ledger.clockMilliseconds = 1_000_000
        }
        guard case .wait(_, let rebased?) = lockout.decide(ledger, now: .seconds(505), boot: boot) else {
            Issue.record("ended")
            return
        }
        #expect(lockout.decide(rebased, now: .seconds(535) - .milliseconds(1), boot: boot) != .mayTry)
        #expect(lockout.decide(rebased, now: .seconds(535), boot: boot) == .mayTry)
    }

    @Test("If a boot id is missing, now or when it was written, the clock alone decides", arguments: moments)
    func missingBoot(now: Int) {
        for written in Self.moments {
            let alone = lockout.decide(waitingLedger(at: .seconds(written)), now: .seconds(now))
            for (then, present) in [(BootID("a"), nil), (nil, BootID("a"))] {
                let ledger = charged(at: .seconds(written), then)
                switch (lockout.decide(ledger, now: .seconds(now), boot: present), alone) {
                case (.wait(let left, let rebased), .wait(let expected, _)):
                    #expect(left == expected)
                    // From here on the boot id is known, or known to be missing.
                    #expect(rebased?.boot == present)
                    #expect(rebased != nil)
                case (.mayTry, .mayTry): break
                case let other: Issue.record("\(other)")
                }
            }
        }
    }

    @Test("With any boot ids, each query shortens a wait by at most the whole uptime")
    func forgedBoots() {
        let ids: [BootID?] = [nil, BootID("a"), BootID("b")]
        for written in ids {
            for present in ids {
                for uptime in Self.moments {
                    let ledger = charged(at: .seconds(10), written)
                    guard case .wait(let left, _) = lockout.decide(ledger, now: .seconds(uptime), boot: present) else {
                        #expect(uptime >= 30)
                        continue
                    }
                    #expect(left <= Self.wait && left >= Self.wait - .seconds(uptime))
                }
            }
        }
    }

    @Test("A ledger of an earlier version, without a boot id, is read and written unchanged")
    func earlierLedger() throws {
        let text = #"{"clock_ms":5000,"failures":3,"wait_ms":30000}"#
        let ledger = try JSONDecoder().decode(LockoutLedger.self, from: Data(text.utf8))
        #expect(ledger.boot == nil)
        #expect(String(decoding: StrictJSON.encode(ledger), as: UTF8.self) == text)
        let charged = lockout.charging(.random(), to: ledger, now: .seconds(1), boot: BootID("a"))
        let copy = try JSONDecoder().decode(LockoutLedger.self, from: Data(StrictJSON.encode(charged)))
        #expect(copy == charged)
    }

    private func charged(at uptime: Duration, _ boot: BootID?) -> LockoutLedger {
        (0..<3).reduce(.clear) { ledger, _ in lockout.charging(.random(), to: ledger, now: uptime, boot: boot) }
    }

    private func waitingLedger(at uptime: Duration) -> LockoutLedger {
        (0..<3).reduce(.clear) { ledger, _ in lockout.charging(.random(), to: ledger, now: uptime) }
    }
}
