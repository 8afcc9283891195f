/// The common PINs of eight digits, generated from the patterns that make them common.
enum CommonEightDigitPins {
    static var all: Set<Int> { Set(twoDigits + runs + halves + dates + sorted + pairsOfRuns + paths) }

    static func digits(of pin: Int) -> [UInt8] {
        let text = String(pin)
        return Array((String(repeating: "0", count: 8 - text.count) + text).utf8)
    }

    /// One or two different digits in any order.
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

    /// Four digits, followed by the same four or their reverse.
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

    /// Digits that never fall, and their reverses.
    private static var sorted: [Int] {
        var rising: [[Int]] = [[]]
        for _ in 0..<8 { rising = rising.flatMap { digits in ((digits.last ?? 0)...9).map { digits + [$0] } } }
        return rising.flatMap { [number($0), number($0.reversed())] }
    }

    /// Two runs of four digits, one after the other or interleaved.
    private static var pairsOfRuns: [Int] {
        let runs = (0..<10).flatMap { start in (0..<10).map { step in (0..<4).map { (start + $0 * step) % 10 } } }
        return runs.flatMap { one in
            runs.flatMap { other in [number(one + other), number(zip(one, other).flatMap { [$0, $1] })] }
        }
    }

    /// Paths over neighbouring keys, each key once.
    private static var paths: [Int] {
        let neighbours = [
            [8], [2, 4], [1, 3, 5], [2, 6], [1, 5, 7], [2, 4, 6, 8], [3, 5, 9], [4, 8], [0, 5, 7, 9], [6, 8],
        ]
        var paths = (0..<10).map { [$0] }
        for _ in 1..<8 {
            paths = paths.flatMap { path in
                neighbours[path[path.count - 1]].filter { !path.contains($0) }.map { path + [$0] }
            }
        }
        return paths.map(number)
    }

    private static func number(_ digits: [Int]) -> Int { digits.reduce(0) { $0 * 10 + $1 } }
}
