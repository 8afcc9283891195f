import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about signing keys that every store keeps.
package enum SigningKeyConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A key can be added only after the newest one, and keys are returned in the order of their first use"
        ) { store in
            let first = try Fixture.signingKey()
            let second = try Fixture.signingKey(activeFrom: TestTime.current + .seconds(420))
            #expect(try await store.signingKeys() == [])
            #expect(try await store.addSigningKey(second, after: .random()) == [])
            #expect(try await store.addSigningKey(first, after: nil) == [first])
            #expect(try await store.addSigningKey(second, after: nil) == [first])
            #expect(try await store.addSigningKey(second, after: first.id) == [first, second])
            #expect(try await store.addSigningKey(try Fixture.signingKey(), after: first.id) == [first, second])
            #expect(try await store.signingKeys() == [first, second])
        },

        StoreRequirement(
            "A key is removed when another has followed it for long enough, and one key is always left"
        ) { store in
            let start = TestTime.current
            let keys = try [0, 100, 200].map { try Fixture.signingKey(activeFrom: start + .seconds($0)) }
            for (index, key) in keys.enumerated() {
                _ = try await store.addSigningKey(key, after: index == 0 ? nil : keys[index - 1].id)
            }
            for (time, left) in [(-1, 3), (99, 3), (100, 2), (199, 2), (200, 1), (1_000_000, 1)] {
                try await store.removeSigningKeys(supersededBefore: start + .seconds(time))
                #expect(try await store.signingKeys() == keys.suffix(left), "\(time)")
            }
        },

        StoreRequirement("A key added while the clock was a month ahead signs as soon as a key added now") { store in
            let masterKey = MasterKey.random()
            let (now, month) = (TestTime.current, Duration.seconds(30 * 24 * 3600))
            let first = try TokenSigningKey.random().sealed(under: masterKey, createdAt: now, activeFrom: now)
            _ = try await store.addSigningKey(first, after: nil)
            let late = try await store.rotateSigningKey(under: masterKey, now: now + month)
            let later = try Fixture.signingKey(activeFrom: late.activeFrom + .seconds(900))
            _ = try await store.addSigningKey(later, after: late.id)
            let start = now + SigningKeySchedule.publicationLead
            #expect(try await store.signingKeysStartingInTime(now: now).map(\.id) == [first.id, late.id, later.id])
            #expect(try await store.signingKeys().map(\.activeFrom) == [now, start, start + .seconds(1)])
            // The times stay the same, even if a process has a clock that is a little behind.
            for _ in 0..<2 { _ = try await store.signingKeysStartingInTime(now: now + .seconds(-50)) }
            #expect(try await store.signingKeys().map(\.activeFrom) == [now, start, start + .seconds(1)])
        },

        StoreRequirement("50 concurrent rotations all name the same key") { store in
            let masterKey = MasterKey.random()
            let first = try TokenSigningKey.random().sealed(
                under: masterKey, createdAt: TestTime.current, activeFrom: TestTime.current)
            _ = try await store.addSigningKey(first, after: nil)
            let coming = try await inParallel(50) {
                try await store.rotateSigningKey(under: masterKey, now: TestTime.start)
            }
            #expect(Set(coming).count == 1)
            let ids = try await store.signingKeys().map(\.id)
            #expect(ids.count == 2 && ids.first == first.id && ids.last == coming.first?.id)
        },

        StoreRequirement("A rotation with another master key, or without any signing key, changes nothing") { store in
            await #expect(throws: SigningKeyRotationError.noKey) {
                try await store.rotateSigningKey(under: .random(), now: TestTime.current)
            }
            let key = try TokenSigningKey.random().sealed(
                under: .random(), createdAt: TestTime.current, activeFrom: TestTime.current)
            _ = try await store.addSigningKey(key, after: nil)
            await #expect(throws: SigningKeyRotationError.masterKeyDoesNotFit) {
                try await store.rotateSigningKey(under: .random(), now: TestTime.current)
            }
            #expect(try await store.signingKeys() == [key])
        },
    ]
}
