import Nightlatch
import Testing

@Suite("Wait times on a screen")
struct WaitTimeTests {
    @Test(
        "A wait is rounded up and shown in at most two units",
        arguments: [
            (.zero, "1s"), (.nanoseconds(1), "1s"), (.seconds(1), "1s"), (.milliseconds(1001), "2s"),
            (.seconds(-5), "1s"), (.seconds(59), "59s"), (.seconds(60), "1m"), (.seconds(61), "1m 1s"),
            (.seconds(90), "1m 30s"), (.seconds(3599), "59m 59s"), (.milliseconds(3_599_001), "1h"),
            (.seconds(3600), "1h"), (.seconds(3601), "1h 1m"), (.seconds(86_340), "23h 59m"), (.seconds(86_341), "1d"),
            (.seconds(86_400), "1d"), (.seconds(86_401), "1d 1h"), (.seconds(7 * 86_400), "7d"),
        ] as [(Duration, String)])
    func parts(wait: Duration, told: String) {
        #expect(
            WaitTime(wait).parts.map { "\($0.count)\(String(describing: $0.unit).prefix(1))" }
                == told.split(separator: " ").map(String.init))
    }

    @Test("The longest possible wait is shown, too")
    func longest() {
        #expect(WaitTime(.seconds(Int64.max)).parts.first?.unit == .days)
    }
}
