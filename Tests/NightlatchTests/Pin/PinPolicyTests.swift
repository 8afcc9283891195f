import Nightlatch
import Testing

@Suite("PIN policy")
struct PinPolicyTests {
    @Test("Six digits are the default")
    func defaultLength() {
        #expect(PinPolicy.default.lengths == 6...6)
    }

    @Test("A range that no PIN fits is refused", arguments: [3...6, 4...13, 0...20, 13...14])
    func impossibleLengths(lengths: ClosedRange<Int>) {
        #expect(throws: PinPolicyError.lengths) { try PinPolicy(lengths: lengths) }
    }

    @Test(
        "Each kind of common PIN has its own objection",
        arguments: [
            ("7777", [.repetition, .run, .pattern, .palindrome]),
            ("898998", [.repetition]),
            ("112122", [.repetition, .date]),
            ("1234", [.run]),
            ("9876", [.run]),
            ("2468", [.run]),
            ("8901", [.run]),
            ("567890", [.run]),
            ("890123", [.run, .date]),
            ("3692", [.run]),
            ("4747", [.pattern]),
            ("1212", [.pattern, .date]),
            ("4488", [.pattern]),
            ("483483", [.pattern]),
            ("4774", [.palindrome]),
            ("583385", [.palindrome]),
            ("1900", [.year]),
            ("1987", [.year]),
            ("2029", [.year]),
            ("3112", [.date]),
            ("0229", [.date]),
            ("311299", [.date]),
            ("123199", [.date]),
            ("991231", [.date]),
            ("24121987", [.date]),
            ("12241987", [.date]),
            ("19871224", [.date]),
            ("19872412", [.date]),
            ("001389", [.sorted]),
            ("998521", [.sorted]),
            ("134679", [.sorted, .severalRuns]),
            ("123789", [.sorted, .severalRuns]),
            ("159753", [.severalRuns]),
            ("159357", [.severalRuns]),
            ("123654", [.severalRuns, .padShape]),
            ("789456", [.severalRuns]),
            ("147258", [.severalRuns]),
            ("142536", [.severalRuns]),
            ("192837", [.severalRuns]),
            ("789456123", [.severalRuns]),
            ("2580", [.padShape]),
            ("0852", [.padShape]),
            ("1397", [.padShape]),
            ("2684", [.padShape]),
            ("1236", [.padShape]),
            ("147896", [.padShape]),
            ("5683", [.popular]),
            ("0007", [.popular]),
            ("141627", [.popular]),
        ] as [(String, [CommonPinKind])])
    func kinds(digits: String, expected: [CommonPinKind]) throws {
        let policy = try PinPolicy(lengths: 4...12)
        #expect(try objections(policy, digits) == expected.map(PinObjection.common))
    }

    @Test(
        "A PIN of no common kind is allowed",
        arguments: [
            "1899", "2030", "3213", "0230", "3104", "4796", "482915", "320145", "481948", "24121897", "48291537",
            "112122334",
        ])
    func uncommon(digits: String) throws {
        let policy = try PinPolicy(lengths: 4...12)
        #expect(try objections(policy, digits).isEmpty)
    }

    @Test("None of the most chosen PINs is allowed")
    func mostChosen() throws {
        let policy = try PinPolicy(lengths: 4...12)
        #expect(MostChosenPins.fourDigits.count == 103)
        #expect(MostChosenPins.sixDigits.count == 100)
        for pin in MostChosenPins.fourDigits + MostChosenPins.sixDigits {
            #expect(try !objections(policy, pin).isEmpty, "\(pin)")
        }
    }

    @Test("At most 12 % of the PINs of a length are refused", arguments: PinSpace.usual)
    func refusedShare(space: PinSpace) {
        #expect(space.commonPinCount * 100 <= space.pinCount * 12)
    }

    @Test("All objections are reported at once, the length first")
    func allReasons() throws {
        #expect(
            try objections(.default, "1111")
                == [
                    .length(allowed: 6...6), .common(.repetition), .common(.run), .common(.pattern),
                    .common(.palindrome), .common(.date),
                ])
    }

    @Test("Exactly 1,166 of the four-digit PINs are common")
    func fourDigits() async throws {
        #expect(try await commonPinCount(length: 4) == 1_166)
        #expect(PinSpace.fourDigits.commonPinCount == 1_166)
    }

    @Test("Exactly 114,109 of the six-digit PINs are common")
    func sixDigits() async throws {
        #expect(try await commonPinCount(length: 6) == 114_109)
        #expect(PinSpace.sixDigits.commonPinCount == 114_109)
    }

    /// There are too many to try: the test generates them kind by kind, and checks each with the rules.
    @Test("Exactly 249,347 of the eight-digit PINs are common")
    func eightDigits() {
        let common = CommonEightDigitPins.all
        #expect(common.count == 249_347)
        #expect(PinSpace.eightDigits.commonPinCount == 249_347)
        #expect(common.allSatisfy { isCommon(CommonEightDigitPins.digits(of: $0)) })
    }

    private func objections(_ policy: PinPolicy, _ digits: String) throws -> [PinObjection] {
        policy.objections(to: try Pin(digits))
    }

    /// Counts in one task for each first digit.
    private func commonPinCount(length: Int) async throws -> Int {
        let tail = (1..<length).reduce(1) { power, _ in power * 10 }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for first in 0..<10 {
                group.addTask { @concurrent in
                    var digits = [UInt8](repeating: 0, count: length)
                    var count = 0
                    for number in first * tail..<(first + 1) * tail {
                        var rest = number
                        for index in (0..<length).reversed() {
                            digits[index] = 0x30 + UInt8(rest % 10)
                            rest /= 10
                        }
                        if isCommon(digits) { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private func isCommon(_ digits: [UInt8]) -> Bool {
        unsafe digits.withUnsafeBufferPointer { digits in
            let shape = unsafe PinShape(digits: digits)
            return !shape.commonKinds.isEmpty
        }
    }
}
