import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Ordered names of stored data")
struct NamesInOrderTests {
    @Test("Names of families start with the name of their device and are different")
    func families() throws {
        let device = try #require(DeviceID(rawValue: "0a1b2c3d4e5f60718293a4b5c6d7e8f9"))
        let families = Set((0..<100).map { _ in RefreshFamilyID.random(of: device).bytes })
        let beginning: [UInt8] = [0x0A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F]
        #expect(families.count == 100 && families.allSatisfy { $0.count == 16 && $0.starts(with: beginning) })
    }

    @Test("Challenges start with the second of their creation and are different")
    func challenges() async throws {
        let second = TestTime.current.secondsSince1970
        let beginning = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: second >> $0) }
        try await TestRelyingParty.with(MemoryStore(clock: TestTime.clock)) { caller in
            let (alice, device) = (try Fixture.alice(), DeviceID.random())
            var challenges: Set<Challenge> = []
            for _ in 0..<20 { challenges.insert(try await caller.beginLogin(user: alice, device: device).challenge) }
            #expect(challenges.count == 20 && challenges.allSatisfy { $0.bytes.starts(with: beginning) })
        }
    }

    @Test("Challenges of one second are in ascending order, so that rows written together have adjacent names")
    func order() async throws {
        try await TestRelyingParty.with(MemoryStore(clock: TestTime.clock)) { caller in
            let (alice, device) = (try Fixture.alice(), DeviceID.random())
            var parts: [ArraySlice<UInt8>] = []
            let begin = Date().timeIntervalSince1970.rounded(.down)
            for _ in 0..<50 {
                parts.append(try await caller.beginLogin(user: alice, device: device).challenge.bytes[4..<6])
            }
            let secondsBegun = Date().timeIntervalSince1970.rounded(.down) - begin
            let falls = zip(parts, parts.dropFirst()).count { $1.lexicographicallyPrecedes($0) }
            // The count starts again with each second of the system's clock, whichever second the names contain.
            #expect(Double(falls) <= secondsBegun)
            #expect(Set(parts).count > 1)
        }
    }
}
