import NightlatchWire
import Testing

@Suite("Random bytes")
struct RandomBytesTests {
    @Test(
        "are as many as were asked for, and every one of them is random", arguments: [0, 1, 7, 8, 9, 16, 31, 32, 100])
    func count(count: Int) {
        let draws = (0..<64).map { _ in randomBytes(count: count) }
        #expect(draws.allSatisfy { $0.count == count })
        // By chance a place holds one value 64 times over less than once in 10^150 runs.
        for place in 0..<count { #expect(Set(draws.map { $0[place] }).count > 1) }
    }
}
