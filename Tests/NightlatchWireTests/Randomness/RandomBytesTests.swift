import NightlatchWire
import Testing

@Suite("Random bytes")
struct RandomBytesTests {
    @Test(
        "The number of bytes is the requested one, and every byte is random",
        arguments: [0, 1, 7, 8, 9, 16, 31, 32, 100])
    func count(count: Int) {
        let draws = (0..<64).map { _ in randomBytes(count: count) }
        #expect(draws.allSatisfy { $0.count == count })
        // The probability that a position has the same value 64 times is less than 1 in 10^150.
        for place in 0..<count { #expect(Set(draws.map { $0[place] }).count > 1) }
    }
}
