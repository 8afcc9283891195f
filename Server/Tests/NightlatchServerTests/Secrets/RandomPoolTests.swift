import NightlatchServer
import Testing

@Suite("The pool of random bytes")
struct RandomPoolTests {
    @Test("Gives as many bytes as are asked for", arguments: [0, 1, 10, 32, 255, 256])
    func count(_ count: Int) {
        let pool = RandomPool()
        for _ in 0..<20 { #expect(pool.take(count).count == count) }
    }

    @Test("Gives no bytes twice, whoever takes how many at once")
    func once() async throws {
        let pool = RandomPool()
        let taken = try await inParallel(200) {
            // Sizes that do not go into the pool's evenly.
            [16, 26, 32, 16, 10, 100].map { pool.take($0) }
        }.flatMap(\.self)
        #expect(Set(taken.map { Array($0.prefix(10)) }).count == taken.count)
        #expect(!taken.contains { bytes in bytes.suffix(10).allSatisfy { $0 == 0 } })
    }

    @Test("Gives nothing of what it has overwritten: of 2560 first and last bytes some ten are zero each")
    func ends() {
        let pool = RandomPool()
        let taken = (0..<2560).map { _ in pool.take(16) }
        #expect(taken.count { $0.first == 0 } < 60)
        #expect(taken.count { $0.last == 0 } < 60)
    }
}
