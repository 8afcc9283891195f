import Nightlatch
import Testing

@Suite("Attack cost")
struct AttackCostTests {
    /// Calculated by hand from the source, 88,000 guesses a second at 100,100 iterations: one card makes 88,000 ×
    /// 100,100 = 8,808,800,000 iterations a second, and N PINs take N × iterations ÷ 8,808,800,000 seconds.
    @Test(
        "The time of one RTX 4090 to try all PINs under PBKDF2 is that of the source's figure",
        arguments: [
            (100_000, 4, 113_522),
            (100_000, 6, 11_352_284),
            (100_000, 8, 1_135_228_408),
            (600_000, 4, 681_137),
            (600_000, 6, 68_113_704),
            (600_000, 8, 6_811_370_448),
            (10_000_000, 6, 1_135_228_408),
        ])
    func pbkdf2(iterations: Int, digits: Int, microseconds: Int) throws {
        let space = try #require(PinSpace.usual.first { $0.digitCount == digits })
        let time = AttackCost(of: .pbkdf2(iterations: iterations)).time(toTry: space.pinCount)
        #expect(isNear(time.whole, .microseconds(microseconds)))
        #expect(isNear(time.expected * 2, time.whole))
    }

    /// Calculated by hand from the source, 1,667 guesses a second at 64 MiB and three passes: one card fills 1,667 ×
    /// 65,536 × 3 = 327,745,536 KiB a second, and N PINs take N × KiB × passes ÷ 327,745,536 seconds.
    @Test(
        "The time of one RTX 4090 to try all PINs under Argon2id is that of the source's figure, for any lanes",
        arguments: [
            (65_536, 3, 1, 4, 5_998_800),
            (65_536, 3, 4, 6, 599_880_024),
            (65_536, 3, 1, 8, 59_988_002_400),
            (19_456, 2, 1, 6, 118_726_255),
            (1_048_576, 16, 4, 8, 5_118_976_204_759),
        ])
    func argon2id(memoryKibibytes: Int, passes: Int, lanes: Int, digits: Int, microseconds: Int) throws {
        let space = try #require(PinSpace.usual.first { $0.digitCount == digits })
        let parameters = KeyDerivationParameters.argon2id(
            memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        let time = AttackCost(of: parameters).time(toTry: space.pinCount)
        #expect(isNear(time.whole, .microseconds(microseconds)))
    }

    /// 88,000 × 100,100 ÷ 600,000 = 14,681.3
    @Test("Parameters that no record may have still give a time")
    func beyond() {
        let cost = AttackCost(of: .argon2id(memoryKibibytes: .max, passes: .max, lanes: 1))
        #expect(cost.time(toTry: .max).whole > .seconds(1_000_000_000_000))
    }

    @Test("The rate is in proportion to the cost of the parameters, and equals the source's figure at its parameters")
    func rate() {
        #expect(AttackCost(of: .pbkdf2(iterations: 100_100)).guessesPerSecond == 88_000)
        let rate = AttackCost(of: .pbkdf2(iterations: 600_000)).guessesPerSecond
        #expect(14_681.3..<14_681.4 ~= rate)
    }

    /// 600,000 iterations: (10^6 − 114,109) × 600,000 ÷ 8,808,800,000 = 60.341 s.
    @Test("An attacker who knows that common PINs are refused tries fewer PINs")
    func blocklist() {
        let cost = AttackCost(of: .pbkdf2(iterations: 600_000))
        #expect(isNear(cost.time(toTry: PinSpace.sixDigits.allowedPinCount).whole, .microseconds(60_341_317)))
    }

    @Test("Each figure names its hardware and its source")
    func source() {
        let benchmark = AttackCost(of: .default).benchmark
        #expect(benchmark.hardware == "NVIDIA RTX 4090")
        for text in [benchmark.setting, benchmark.source] { #expect(!text.isEmpty) }
        #expect(benchmark.address.hasPrefix("https://"))
    }

    @Test("Impossible parameters give no time, and do not end the program", arguments: [0, -1, .min])
    func impossible(iterations: Int) {
        let time = AttackCost(of: .pbkdf2(iterations: iterations)).time(toTry: PinSpace.sixDigits.pinCount)
        #expect(time.whole >= .zero && time.whole < .seconds(1))
    }

    @Test("The longest possible time can be represented")
    func longest() {
        let time = AttackCost(of: .pbkdf2(iterations: .max)).time(toTry: PinSpace.eightDigits.pinCount)
        #expect(time.whole > .seconds(Int64(1) << 50))
    }

    @Test("A space has the number of PINs that its digits allow")
    func spaces() {
        #expect(PinSpace.usual.map(\.digitCount) == [4, 6, 8])
        #expect(PinSpace.usual.map(\.pinCount) == [10_000, 1_000_000, 100_000_000])
        #expect(PinSpace.usual.map(\.allowedPinCount) == [8_834, 885_891, 99_750_653])
    }

    private func isNear(_ time: Duration, _ expected: Duration) -> Bool {
        time - expected < .microseconds(1) && expected - time < .microseconds(1)
    }
}
