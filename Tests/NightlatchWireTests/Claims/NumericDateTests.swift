import Foundation
import NightlatchWire
import Testing

@Suite("Dates")
struct NumericDateTests {
    @Test(
        "Dates are read from the first second of 1970 to the last of 9999",
        arguments: [0, 1, 1_700_000_000, 253_402_300_799])
    func range(seconds: Int) throws {
        try expectSame(NumericDate(secondsSince1970: seconds), "\(seconds)")
        #expect(NumericDate(NumericDate(secondsSince1970: seconds).date).secondsSince1970 == seconds)
    }

    @Test(
        "Dates outside the range, with fractions or of another type are refused",
        arguments: [
            "-1", "253402300800", "1e12", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400",
            "0.5",
            "1700000000.5", "1e-1", #""0""#, "null", "true", "[]", "{}",
        ]
    )
    func refused(text: String) {
        #expect(throws: StrictJSONError.unexpectedShape(path: "")) {
            try StrictJSON.decode(NumericDate.self, from: Data(text.utf8))
        }
    }

    @Test("A date is the second of its moment, also before 1970")
    func rounding() {
        for (moment, second) in [(0.0, 0), (0.999, 0), (1.0, 1), (-0.001, -1), (-1.0, -1)] {
            #expect(NumericDate(Date(timeIntervalSince1970: moment)).secondsSince1970 == second)
        }
    }

    @Test("A fractional date is the second of its moment, and nil outside 1970 to 9999")
    func fractions() {
        for (moment, second) in [
            (0.0, 0), (0.999, 0), (1_700_000_000.5, 1_700_000_000), (253_402_300_799.9, 253_402_300_799),
        ] {
            #expect(NumericDate(fractional: moment)?.secondsSince1970 == second)
        }
        for moment in [-0.001, -1, 253_402_300_800, 1e300, .infinity, -.infinity, .nan] {
            #expect(NumericDate(fractional: moment) == nil, "\(moment)")
        }
    }

    @Test("Dates are added and subtracted in whole seconds, and stop at the limits")
    func arithmetic() {
        let date = NumericDate(secondsSince1970: 1_700_000_000)
        #expect(date + .seconds(60) == NumericDate(secondsSince1970: 1_700_000_060))
        #expect(date + .milliseconds(1999) == NumericDate(secondsSince1970: 1_700_000_001))
        #expect(date + .seconds(-60) < date)
        #expect((date + .seconds(60)) - date == .seconds(60))
        #expect(date - (date + .seconds(60)) == .seconds(-60))
        #expect(date + .seconds(Int64.max) == NumericDate(secondsSince1970: .max))
        #expect(NumericDate(secondsSince1970: -2) + .seconds(Int64.min) == NumericDate(secondsSince1970: .min))
        let span = NumericDate(secondsSince1970: .max) - NumericDate(secondsSince1970: .min)
        #expect(span == .seconds(Int64.max) - .seconds(Int64.min))
    }
}
