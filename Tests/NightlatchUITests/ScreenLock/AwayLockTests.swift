import NightlatchTesting
import NightlatchUI
import Testing

@Suite("Locking a screen when the user leaves")
struct AwayLockTests {
    /// A lock that is open and in front at the time 100 s.
    private func open(timeAway: Duration = .seconds(60)) -> AwayLock {
        var lock = AwayLock(timeAway: timeAway)
        #expect(lock.handle(.phase(.active), at: .seconds(100)) == [.ask])
        #expect(lock.handle(.opened, at: .seconds(100)).isEmpty)
        #expect(lock.state == .open && !lock.isCovered)
        return lock
    }

    @Test("The lock starts locked and covered, and asks when the app is in front")
    func begins() {
        var lock = AwayLock(timeAway: .seconds(60))
        #expect(lock.state == .locked && lock.isCovered)
        #expect(lock.handle(.phase(.inactive), at: .zero).isEmpty && lock.isCovered)
        #expect(lock.handle(.phase(.active), at: .zero) == [.ask])
        #expect(lock.state == .asking && lock.isCovered)
        #expect(lock.handle(.ask, at: .zero).isEmpty)
    }

    @Test("The lock covers at once when the app is left, and uncovers after a short absence")
    func covers() {
        var lock = open()
        for phase in [AppPhase.inactive, .background, .inactive] {
            #expect(lock.handle(.phase(phase), at: .seconds(110)).isEmpty)
            #expect(lock.isCovered && lock.state == .open)
        }
        #expect(lock.handle(.phase(.active), at: .seconds(120)).isEmpty)
        #expect(!lock.isCovered)
    }

    @Test(
        "An absence of the whole time locks, a shorter one does not, and a clock that went back does",
        arguments: [(159.999, false), (160, true), (100_000, true), (99.9, true), (0, true)])
    func away(returnedAt: Double, locks: Bool) {
        for phase in [AppPhase.inactive, .background] {
            var lock = open()
            _ = lock.handle(.phase(phase), at: .seconds(100))
            let effects = lock.handle(.phase(.active), at: .seconds(returnedAt))
            #expect(effects == (locks ? [.lock, .ask] : []))
            #expect(lock.isCovered == locks)
        }
    }

    @Test("The absence starts when the app was first left, whatever its later phases")
    func firstLeft() {
        var lock = open()
        _ = lock.handle(.phase(.inactive), at: .seconds(100))
        _ = lock.handle(.phase(.background), at: .seconds(130))
        _ = lock.handle(.phase(.inactive), at: .seconds(155))
        #expect(lock.handle(.phase(.active), at: .seconds(160)) == [.lock, .ask])
    }

    @Test("A system prompt may keep the app inactive for any time, even if every absence locks")
    func systemPrompt() {
        var lock = AwayLock(timeAway: .zero)
        _ = lock.handle(.phase(.active), at: .zero)
        _ = lock.handle(.phase(.inactive), at: .zero)
        #expect(lock.handle(.opened, at: .seconds(500)).isEmpty)
        #expect(lock.state == .open && lock.isCovered)
    }

    @Test("Without a time away every absence locks, in the background at once")
    func zero() {
        var lock = open(timeAway: .zero)
        _ = lock.handle(.phase(.inactive), at: .seconds(100))
        #expect(lock.deadline == .seconds(100))
        #expect(lock.handle(.phase(.active), at: .seconds(100)) == [.lock, .ask])
        lock = open(timeAway: .zero)
        #expect(lock.handle(.phase(.background), at: .seconds(100)) == [.lock])
        #expect(lock.state == .locked && lock.deadline == nil)
        #expect(lock.handle(.phase(.active), at: .seconds(100)) == [.ask])
    }

    @Test("The lock closes at its deadline, even without an event", arguments: [AppPhase.inactive, .background])
    func toldNothing(phase: AppPhase) {
        var lock = open()
        #expect(lock.deadline == nil)
        _ = lock.handle(.phase(phase), at: .seconds(100))
        #expect(lock.deadline == .seconds(160))
        #expect(lock.handle(.time, at: .seconds(159)).isEmpty && lock.state == .open)
        #expect(lock.handle(.time, at: .seconds(3700)) == [.lock] && lock.state == .locked)
        #expect(lock.handle(.phase(.active), at: .seconds(3701)) == [.ask])
    }

    @Test(
        "The lock's own prompt is no absence, with any time away: it asks once",
        arguments: [.zero, .milliseconds(100), .seconds(60)] as [Duration],
        [.zero, .milliseconds(100), .seconds(3)] as [Duration])
    func ownPrompt(timeAway: Duration, isAwayFor gap: Duration) {
        var lock = AwayLock(timeAway: timeAway)
        #expect(lock.handle(.phase(.active), at: .seconds(100)) == [.ask])
        #expect(lock.handle(.phase(.inactive), at: .seconds(100)).isEmpty)
        #expect(lock.handle(.opened, at: .seconds(130)).isEmpty)
        #expect(lock.handle(.time, at: .seconds(130) + gap).isEmpty)
        #expect(lock.handle(.phase(.active), at: .seconds(130) + gap).isEmpty)
        #expect(lock.state == .open && !lock.isCovered)
        // A later absence counts.
        #expect(lock.handle(.phase(.background), at: .seconds(200)) == (timeAway == .zero ? [.lock] : []))
    }

    @Test("Another prompt of the app is no absence while it is shown, and shortly after")
    func otherPrompt() {
        var lock = open(timeAway: .zero)
        #expect(lock.handle(.phase(.inactive), at: .seconds(100), isPrompted: true).isEmpty)
        for time in stride(from: 109, to: 160, by: 9) {
            #expect(lock.handle(.time, at: .seconds(time), isPrompted: true).isEmpty)
        }
        #expect(lock.deadline == .seconds(164))
        #expect(lock.handle(.phase(.active), at: .seconds(156)).isEmpty && !lock.isCovered)
        _ = lock.handle(.phase(.inactive), at: .seconds(200), isPrompted: true)
        #expect(lock.handle(.phase(.background), at: .seconds(201)) == [.lock])
    }

    @Test("A device that becomes active long after a prompt is locked, and does not ask again automatically")
    func slowPrompt() {
        var lock = AwayLock(timeAway: .zero)
        _ = lock.handle(.phase(.active), at: .zero)
        _ = lock.handle(.phase(.inactive), at: .zero)
        _ = lock.handle(.opened, at: .zero)
        #expect(lock.handle(.phase(.active), at: AwayLock.promptAllowance) == [.lock])
        #expect(lock.handle(.phase(.inactive), at: .seconds(11)).isEmpty)
        #expect(lock.handle(.phase(.active), at: .seconds(12)).isEmpty)
        #expect(lock.handle(.ask, at: .seconds(12)) == [.ask])
    }

    @Test("The end of the vault locks: in front the user can ask again, otherwise it asks on return")
    func vaultEnded() {
        var lock = open()
        #expect(lock.handle(.vaultEnded, at: .seconds(100)) == [.lock] && lock.state == .locked)
        #expect(lock.handle(.vaultEnded, at: .seconds(100)).isEmpty)
        #expect(lock.handle(.ask, at: .seconds(100)) == [.ask])
        #expect(lock.handle(.vaultEnded, at: .seconds(100)).isEmpty && lock.state == .asking)
        lock = open()
        _ = lock.handle(.phase(.background), at: .seconds(100))
        #expect(lock.handle(.vaultEnded, at: .seconds(100)) == [.lock])
        #expect(lock.handle(.phase(.active), at: .seconds(101)) == [.ask])
    }

    @Test("A vault that opens after too long an absence is locked again, and the lock asks again on return")
    func openedTooLate() {
        var lock = AwayLock(timeAway: .seconds(60))
        _ = lock.handle(.phase(.active), at: .zero)
        _ = lock.handle(.phase(.background), at: .zero)
        #expect(lock.handle(.opened, at: .seconds(60)) == [.lock])
        #expect(lock.state == .locked && lock.isCovered)
        #expect(lock.handle(.phase(.active), at: .seconds(61)) == [.ask])
    }

    @Test("In the background the challenge is withdrawn, a vault that still opens is locked, and it asks on return")
    func leftWhileAsked() {
        var lock = AwayLock(timeAway: .seconds(60))
        _ = lock.handle(.phase(.active), at: .zero)
        _ = lock.handle(.phase(.inactive), at: .zero)
        #expect(lock.state == .asking)
        #expect(lock.handle(.phase(.background), at: .zero) == [.withdraw])
        #expect(lock.state == .locked && lock.isCovered)
        #expect(lock.handle(.opened, at: .zero) == [.lock])
        #expect(lock.handle(.phase(.inactive), at: .seconds(1)).isEmpty)
        #expect(lock.handle(.phase(.active), at: .seconds(1)) == [.ask])
        #expect(lock.handle(.opened, at: .seconds(2)).isEmpty && lock.state == .open && !lock.isCovered)
    }

    @Test("A vault that opens soon after the app became inactive is open, and its time away runs")
    func openedSoon() {
        var lock = AwayLock(timeAway: .seconds(60))
        _ = lock.handle(.phase(.active), at: .zero)
        _ = lock.handle(.phase(.inactive), at: .zero)
        #expect(lock.handle(.opened, at: .seconds(5)).isEmpty)
        #expect(lock.isCovered)
        #expect(lock.handle(.phase(.active), at: .seconds(65)) == [.lock, .ask])
    }

    @Test("After a refusal it asks again when the user wants it or returns, and not when a prompt disappears")
    func refused() {
        var lock = AwayLock(timeAway: .seconds(60))
        _ = lock.handle(.phase(.active), at: .zero)
        #expect(lock.handle(.refused, at: .zero).isEmpty && lock.state == .locked)
        _ = lock.handle(.phase(.inactive), at: .zero)
        #expect(lock.handle(.phase(.active), at: .zero).isEmpty)
        #expect(lock.handle(.ask, at: .zero) == [.ask])
        _ = lock.handle(.refused, at: .zero)
        _ = lock.handle(.phase(.background), at: .zero)
        #expect(lock.handle(.phase(.active), at: .zero) == [.ask])
    }

    @Test("The app locks an open lock, and nothing is asked until the user wants it")
    func lockedByApp() {
        var lock = open()
        #expect(lock.handle(.lock, at: .seconds(100)) == [.lock])
        #expect(lock.state == .locked && lock.isCovered)
        #expect(lock.handle(.lock, at: .seconds(100)).isEmpty)
        #expect(lock.handle(.ask, at: .seconds(100)) == [.ask])
    }

    @Test("If the app locks during a challenge, it is withdrawn, and a vault that still opens is locked")
    func lockedWhileAsked() {
        var lock = AwayLock(timeAway: .seconds(60))
        _ = lock.handle(.phase(.active), at: .zero)
        #expect(lock.handle(.lock, at: .zero) == [.withdraw])
        #expect(lock.state == .locked && lock.handle(.opened, at: .zero) == [.lock] && lock.state == .locked)
        #expect(lock.handle(.phase(.active), at: .zero).isEmpty)
        #expect(lock.handle(.ask, at: .zero) == [.ask])
    }

    @Test("In the background the user is never asked: the challenge comes when the app is back")
    func wantedInBackground() {
        var lock = open()
        _ = lock.handle(.phase(.background), at: .seconds(100))
        #expect(lock.handle(.lock, at: .seconds(100)) == [.lock])
        #expect(lock.handle(.ask, at: .seconds(100)).isEmpty && lock.state == .locked)
        #expect(lock.handle(.phase(.active), at: .seconds(101)) == [.ask])
    }

    @Test("A vault that opens without a challenge is locked")
    func unasked() {
        var lock = AwayLock(timeAway: .seconds(60))
        #expect(lock.handle(.opened, at: .zero) == [.lock] && lock.isCovered)
    }

    @Test("In any sequence the lock opens only after an answer, and is covered when not in front", arguments: 1...20)
    func life(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var lock = AwayLock(timeAway: .seconds(60))
        var now = Duration.seconds(1000)
        var phase = AppPhase.inactive
        var isAsked = false
        let events: [AwayLock.Event] =
            AppPhase.allCases.map(AwayLock.Event.phase) + [.opened, .refused, .ask, .lock, .vaultEnded, .time]
        for _ in 0..<2000 {
            now += .seconds(Int.random(in: -3...40, using: &generator))
            guard let event = events.randomElement(using: &generator) else { return }
            let before = lock.state
            let effects = lock.handle(event, at: now)
            if case .phase(let new) = event { phase = new }
            if lock.state == .open && before != .open { #expect(event == .opened && isAsked) }
            if before == .open && lock.state != .open { #expect(effects.first == .lock) }
            if phase != .active { #expect(lock.isCovered) }
            if phase == .background || event == .lock { #expect(lock.state != .asking) }
            #expect(
                effects.contains(.withdraw)
                    == (before == .asking && lock.state == .locked && event != .refused && event != .opened))
            #expect(lock.isCovered || lock.state == .open)
            isAsked = lock.state == .asking
            #expect((before != .asking && isAsked) == effects.contains(.ask))
        }
    }
}
