import Foundation
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Challenge handles")
struct ChallengeSealerTests {
    private let sealer = ChallengeSealer(keyring: .random())

    private func challenge() throws -> SealedChallenge {
        SealedChallenge(
            purpose: .binding(user: try Fixture.alice(), deviceKey: .random(), enrolmentCode: Fixture.hash()),
            challenge: .random(), expiresAt: TestTime.current + .seconds(120))
    }

    private func challenges() throws -> [SealedChallenge] {
        let alice = try Fixture.alice()
        let purposes: [SealedChallenge.Purpose] = [
            .login(user: alice, device: .random()), .login(user: alice, device: nil),
            .decision(user: alice, device: .random(), transaction: .random()),
        ]
        return [try challenge()]
            + purposes.map {
                SealedChallenge(purpose: $0, challenge: .random(), expiresAt: TestTime.current + .seconds(120))
            }
    }

    @Test("A handle's content is read completely or refused")
    func strictness() throws {
        for challenge in try challenges() {
            let bytes = challenge.bytes
            #expect(SealedChallenge(bytes) == challenge)
            for count in bytes.indices {
                let cut = SealedChallenge(Array(bytes.prefix(count)))
                #expect(cut == nil, "\(challenge.purpose) cut after \(count) of \(bytes.count) bytes")
            }
            for more in [[0], [0, 0], [0, 1], [0, 1, 65]] as [[UInt8]] { #expect(SealedChallenge(bytes + more) == nil) }
            for kind in UInt8.min ... .max where kind != bytes[0] {
                #expect(SealedChallenge([kind] + bytes.dropFirst()) != challenge)
            }
        }
    }

    @Test("A handle opens to the sealed content until it expires")
    func roundTrip() throws {
        for challenge in try challenges() {
            let handle = try sealer.seal(challenge)
            #expect(try sealer.open(handle, at: TestTime.current + .seconds(120)) == challenge)
            #expect(throws: ChallengeSealer.Refusal.expired) {
                try sealer.open(handle, at: TestTime.current + .seconds(121))
            }
        }
    }

    @Test("The longest user id fits into a handle")
    func longestUser() throws {
        let user = try #require(UserID(rawValue: String(repeating: "x", count: 128)))
        let challenge = SealedChallenge(
            purpose: .binding(user: user, deviceKey: .random(), enrolmentCode: Fixture.hash()), challenge: .random(),
            expiresAt: TestTime.current)
        #expect(try sealer.open(sealer.seal(challenge), at: TestTime.current) == challenge)
    }

    @Test("A handle with any byte changed, removed or added is refused")
    func tampered() throws {
        let bytes = try #require(Base64URL.decode(try sealer.seal(challenge()).rawValue))
        func refusal(of bytes: [UInt8]) throws {
            let handle = try #require(ChallengeHandle(rawValue: Base64URL.encode(bytes)))
            #expect(throws: ChallengeSealer.Refusal.notOurs) { try sealer.open(handle, at: TestTime.current) }
        }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            try refusal(of: changed)
            if index > 0 { try refusal(of: Array(bytes.prefix(index))) }
        }
        try refusal(of: bytes + [0])
    }

    @Test("A handle of another master key is refused")
    func otherKey() throws {
        let handle = try ChallengeSealer(keyring: .random()).seal(challenge())
        #expect(throws: ChallengeSealer.Refusal.notOurs) { try sealer.open(handle, at: TestTime.current) }
    }
}
