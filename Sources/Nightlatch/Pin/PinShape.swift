/// A view of a PIN's digits that recognises common PINs.
@safe
package struct PinShape: ~Copyable {
    private let digits: UnsafeBufferPointer<UInt8>

    /// - Parameter digits: ASCII, valid while this value exists.
    package init(digits: UnsafeBufferPointer<UInt8>) {
        unsafe self.digits = digits
    }

    /// The kinds of the PIN, as ``PinPolicy/objections(to:)`` reports them.
    package var commonKinds: [CommonPinKind] {
        let kinds = CommonPinKind.allCases.filter { isOfKind($0) }
        let plain = kinds.filter { !CommonPinKind.lastResorts.contains($0) }
        return plain.isEmpty ? kinds : plain
    }

    private borrowing func isOfKind(_ kind: CommonPinKind) -> Bool {
        switch kind {
        case .repetition: distinctDigitCount <= (count >= 6 ? 2 : 1)
        case .run: isRun(from: 0, count: count, by: 1)
        case .pattern: isPattern
        case .palindrome: (0..<count / 2).allSatisfy { digit($0) == digit(count - 1 - $0) }
        case .year: count == 4 && (1900...2029).contains(number(0, 4))
        case .date: isDate
        case .sorted: isSorted
        case .severalRuns: isSeveralRuns
        case .padShape: isPadShape
        case .popular: PopularPins.contains(number(0, count), digitCount: count)
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

    /// Whether the digits at `start`, `start + distance` and so on differ by equal steps, modulo ten.
    private borrowing func isRun(from start: Int, count runCount: Int, by distance: Int) -> Bool {
        let step = (digit(start + distance) - digit(start) + 10) % 10
        return (1..<runCount).allSatisfy { index in
            let place = start + index * distance
            return (digit(place) - digit(place - distance) + 10) % 10 == step
        }
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

    private var isSorted: Bool {
        count >= 6
            && ((1..<count).allSatisfy { digit($0) >= digit($0 - 1) }
                || (1..<count).allSatisfy { digit($0) <= digit($0 - 1) })
    }

    private var isSeveralRuns: Bool {
        guard count >= 6 else { return false }
        let isInterleaved = isRun(from: 0, count: (count + 1) / 2, by: 2) && isRun(from: 1, count: count / 2, by: 2)
        return isInterleaved
            || (3...count / 2).contains { length in
                count % length == 0
                    && stride(from: 0, to: count, by: length).allSatisfy { isRun(from: $0, count: length, by: 1) }
            }
    }

    private var isPadShape: Bool {
        if count == 4, [[1, 3, 7, 9], [2, 4, 6, 8]].contains((0..<4).map { digit($0) }.sorted()) { return true }
        return distinctDigitCount == count
            && (1..<count).allSatisfy { index in
                let (row, column) = place(index)
                let (lastRow, lastColumn) = place(index - 1)
                return abs(row - lastRow) + abs(column - lastColumn) == 1
            }
    }

    /// Returns the position of a digit's key on the pad: three columns, and 0 below 8.
    private borrowing func place(_ index: Int) -> (row: Int, column: Int) {
        let digit = digit(index)
        return digit == 0 ? (3, 1) : ((digit - 1) / 3, (digit - 1) % 3)
    }
}
