/// What the digits of a PIN look like. It lives on the stack of one check and holds no memory of its own.
@safe
package struct PinShape: ~Copyable {
    package static let rules = CommonPinKind.allCases

    private let digits: UnsafeBufferPointer<UInt8>

    /// - Parameter digits: ASCII, lent for as long as this value lives.
    package init(digits: UnsafeBufferPointer<UInt8>) {
        unsafe self.digits = digits
    }

    package borrowing func breaks(_ rule: CommonPinKind) -> Bool {
        switch rule {
        case .repetition: distinctDigitCount <= (count >= 6 ? 2 : 1)
        case .run: isRun
        case .pattern: isPattern
        case .palindrome: (0..<count / 2).allSatisfy { digit($0) == digit(count - 1 - $0) }
        case .year: count == 4 && (1900...2029).contains(number(0, 4))
        case .date: isDate
        }
    }

    private var count: Int { unsafe digits.count }

    private borrowing func digit(_ index: Int) -> Int { unsafe Int(digits[index]) - 0x30 }

    private borrowing func number(_ start: Int, _ length: Int) -> Int {
        (start..<start + length).reduce(0) { $0 * 10 + digit($1) }
    }

    private var distinctDigitCount: Int {
        (0..<count).reduce(0 as UInt16) { $0 | 1 << digit($1) }.nonzeroBitCount
    }

    private var isRun: Bool {
        let step = (digit(1) - digit(0) + 10) % 10
        return (1..<count).allSatisfy { (digit($0) - digit($0 - 1) + 10) % 10 == step }
    }

    private var isPattern: Bool {
        let hasPeriod = (1...count / 2).contains { period in
            count % period == 0 && (period..<count).allSatisfy { digit($0) == digit($0 - period) }
        }
        return hasPeriod || count == 4 && digit(0) == digit(1) && digit(2) == digit(3)
    }

    private var isDate: Bool {
        switch count {
        case 4: isDay(day: 0, month: 2) || isDay(day: 2, month: 0)
        case 6: isDay(day: 0, month: 2) || isDay(day: 2, month: 0) || isDay(day: 4, month: 2)
        case 8:
            isYear(4) && (isDay(day: 0, month: 2) || isDay(day: 2, month: 0))
                || isYear(0) && (isDay(day: 6, month: 4) || isDay(day: 4, month: 6))
        default: false
        }
    }

    private borrowing func isDay(day: Int, month: Int) -> Bool {
        let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let month = number(month, 2)
        return (1...12).contains(month) && (1...lengths[month - 1]).contains(number(day, 2))
    }

    private borrowing func isYear(_ start: Int) -> Bool { (1900...2029).contains(number(start, 4)) }
}
