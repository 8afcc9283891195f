import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Names of what is stored")
struct NamesInOrderTests {
    @Test("begin as the name of their device does, if they are families, and are different all the same")
    func families() throws {
        let device = try #require(DeviceID(rawValue: "0a1b2c3d4e5f60718293a4b5c6d7e8f9"))
        let families = Set((0..<100).map { _ in RefreshFamilyID.random(of: device).bytes })
        let beginning: [UInt8] = [0x0A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F]
        #expect(families.count == 100 && families.allSatisfy { $0.count == 16 && $0.starts(with: beginning) })
    }

    @Test("begin with the second they were made in, if they are challenges, and are different all the same")
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

    @Test("rise within the second that they were made in, so that what is written together is named alike")
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
            // The system's clock begins a second anew whatever second the names are of.
            #expect(Double(falls) <= secondsBegun)
            #expect(Set(parts).count > 1)
        }
    }
}
