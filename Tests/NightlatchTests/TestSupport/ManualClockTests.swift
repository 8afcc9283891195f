import NightlatchTesting
import Testing

@Suite("Manual clock")
struct ManualClockTests {
    @Test("The clock stands until it is advanced")
    func advance() {
        let clock = ManualClock(uptime: .seconds(10))
        #expect(clock.continuousTime() == .seconds(10))
        #expect(clock.continuousTime() == .seconds(10))
        clock.advance(by: .milliseconds(1500))
        #expect(clock.continuousTime() == .milliseconds(11_500))
    }

    @Test("A boot resets the clock")
    func reboot() {
        let clock = ManualClock(uptime: .seconds(10))
        let boot = clock.boot
        clock.reboot()
        #expect(clock.continuousTime() == .zero)
        #expect(clock.boot != boot)
        #expect(boot == ManualClock().boot)
        #expect(ManualClock(tellsBoots: false).boot == nil)
        clock.reboot(uptime: .seconds(99))
        #expect(clock.continuousTime() == .seconds(99))
    }

    @Test("Copies show the same time")
    func copies() {
        let clock = ManualClock()
        let copy = clock
        copy.advance(by: .seconds(5))
        #expect(clock.continuousTime() == copy.continuousTime())
    }
}
