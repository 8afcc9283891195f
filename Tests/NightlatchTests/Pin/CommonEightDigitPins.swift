/// The common PINs of eight digits, made by what makes them common.
enum CommonEightDigitPins {
    static var all: Set<Int> { Set(twoDigits + runs + halves + dates) }

    static func digits(of pin: Int) -> [UInt8] {
        let text = String(pin)
        return Array((String(repeating: "0", count: 8 - text.count) + text).utf8)
    }

    /// One digit or two in any order.
    private static var twoDigits: [Int] {
        (0..<10).flatMap { one in
            (0..<10).flatMap { other in
                (0..<256).map { pattern in number((0..<8).map { pattern >> $0 & 1 == 0 ? one : other }) }
            }
        }
    }

    private static var runs: [Int] {
        (0..<10).flatMap { start in (0..<10).map { step in number((0..<8).map { (start + $0 * step) % 10 }) } }
    }

    /// Four digits, and the same again or the same backwards.
    private static var halves: [Int] {
        (0..<10_000).flatMap { half in
            let digits = [half / 1_000, half / 100 % 10, half / 10 % 10, half % 10]
            return [number(digits + digits), number(digits + digits.reversed())]
        }
    }

    private static var dates: [Int] {
        let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1900...2029).flatMap { year in
            (1...12).flatMap { month in
                (1...lengths[month - 1]).flatMap { day in
                    let (dayFirst, monthFirst) = (day * 100 + month, month * 100 + day)
                    return [
                        dayFirst * 10_000 + year, monthFirst * 10_000 + year, year * 10_000 + dayFirst,
                        year * 10_000 + monthFirst,
                    ]
                }
            }
        }
    }

    private static func number(_ digits: [Int]) -> Int { digits.reduce(0) { $0 * 10 + $1 } }
}
