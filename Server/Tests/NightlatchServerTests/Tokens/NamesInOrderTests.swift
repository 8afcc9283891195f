import Foundation
import NightlatchServer
import NightlatchWire
import Testing

@Suite("Names of what is stored")
struct NamesInOrderTests {
    @Test("begin with the second they were made in, and are different all the same")
    func challengesAndFamilies() async throws {
        let second = TestTime.current.secondsSince1970
        let beginning = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: second >> $0) }
        let families = Set((0..<100).map { _ in RefreshFamilyID.random(at: TestTime.current).bytes })
        #expect(families.count == 100 && families.allSatisfy { $0.count == 16 && $0.starts(with: beginning) })
        try await TestRelyingParty.with(MemoryStore(clock: TestTime.clock)) { caller in
            let (alice, device) = (try Fixture.alice(), DeviceID.random())
            var challenges: Set<Challenge> = []
            for _ in 0..<20 { challenges.insert(try await caller.beginLogin(user: alice, device: device).challenge) }
            #expect(challenges.count == 20 && challenges.allSatisfy { $0.bytes.starts(with: beginning) })
        }
    }

    @Test("rise within the second that they were made in, so that what is written together is named alike")
    func order() {
        let begin = Date().timeIntervalSince1970.rounded(.down)
        let parts = (0..<100).map { _ in RefreshFamilyID.random(at: TestTime.current).bytes[4..<6] }
        let secondsBegun = Date().timeIntervalSince1970.rounded(.down) - begin
        let falls = zip(parts, parts.dropFirst()).count { $1.lexicographicallyPrecedes($0) }
        // The system's clock begins a second anew whatever second the names are of.
        #expect(Double(falls) <= secondsBegun)
    }
}
