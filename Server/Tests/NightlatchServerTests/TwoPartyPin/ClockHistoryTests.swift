import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("The jumps of a store's clock")
struct ClockHistoryTests {
    private func date(_ seconds: Int) -> NumericDate { NumericDate(secondsSince1970: 1_800_000_000 + seconds) }

    @Test("Without a known jump a time is itself, and a time in the future is unknown")
    func alone() {
        #expect(StepTime(date(5)).moment(date(3)) == date(3))
        #expect(StepTime(date(5)).moment(date(6)) == nil)
        var history = ClockHistory()
        let time = history.read(date(5), uptime: .seconds(100))
        #expect(time.now == date(5) && time.moment(date(3)) == date(3) && time.moment(date(20)) == nil)
        #expect(time.moment(date(6)) == date(5), "A process whose clock is a second ahead has written this.")
    }

    @Test("A time from before a jump is as long ago as it really is", arguments: [4000, -4000])
    func jump(seconds: Int) {
        var history = ClockHistory()
        _ = history.read(date(0), uptime: .seconds(0))
        _ = history.read(date(100), uptime: .seconds(100))
        let time = history.read(date(110 + seconds), uptime: .seconds(110))
        #expect(time.moment(date(90)) == date(90 + seconds))
        #expect(time.moment(date(110 + seconds)) == date(110 + seconds))
        let later = history.read(date(500 + seconds), uptime: .seconds(500))
        #expect(later.moment(date(90)) == date(90 + seconds))
        #expect(later.moment(date(300 + seconds)) == date(300 + seconds))
        #expect(later.moment(date(501 + seconds)) == date(500 + seconds))
        // After a jump ahead this is the future. After a jump back it is a time before the jump.
        #expect(later.moment(date(600 + seconds)) == (seconds > 0 ? nil : date(600 + 2 * seconds)))
    }

    @Test("A time that the clock jumped over is not earlier than the jump")
    func jumpedOver() {
        var history = ClockHistory()
        _ = history.read(date(100), uptime: .seconds(100))
        let time = history.read(date(4110), uptime: .seconds(110))
        #expect(time.moment(date(2000)) == date(4110))
    }

    @Test("Of several moments at which the clock showed a time the latest counts")
    func twice() {
        var history = ClockHistory()
        _ = history.read(date(0), uptime: .seconds(0))
        _ = history.read(date(100), uptime: .seconds(100))
        _ = history.read(date(40), uptime: .seconds(110))
        // The clock has shown 90 at 90 seconds and at 160 seconds.
        let time = history.read(date(130), uptime: .seconds(200))
        #expect(time.moment(date(90)) == date(90))
    }

    @Test(
        "A time that was shown just before a small jump ahead, and by that jump again, is not taken for an earlier one")
    func twiceAhead() {
        var history = ClockHistory()
        _ = history.read(date(0), uptime: .seconds(0))
        _ = history.read(date(100), uptime: .seconds(100))
        // Another process charges a guess at 150 seconds. At 155 seconds the clock is set 30 seconds ahead.
        let time = history.read(date(190), uptime: .seconds(160))
        #expect(time.moment(date(150)) == date(180))
    }

    @Test("A clock that runs a second late or early makes no jump, and old jumps are forgotten")
    func bounds() {
        var history = ClockHistory()
        for number in 0..<1000 {
            let time = history.read(date(60 * number + number % 3), uptime: .seconds(60 * number))
            #expect(time == history.read(date(60 * number + number % 3), uptime: .seconds(60 * number)))
            #expect(time.moment(date(60 * number)) == date(60 * number))
        }
        var other = ClockHistory()
        _ = other.read(date(0), uptime: .seconds(0))
        _ = other.read(date(4010), uptime: .seconds(10))
        let dayLater = other.read(date(4010 + 86_401), uptime: .seconds(10 + 86_401))
        #expect(dayLater.moment(date(5)) == date(5), "No wait is that long.")
    }
}
