import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about concurrent operations that every store keeps.
package enum RaceConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("A concurrent login and revocation leave the revoked device without a usable token") { store in
            let alice = try Fixture.alice()
            for _ in 0..<Self.rounds {
                let device = TestDevice()
                let id = try await store.bind(device, to: alice)
                let token = StoredToken(of: id)
                let login = try device.login(id: id, user: alice, token: token)
                async let outcome = store.recordLogin(login, consuming: Fixture.use())
                async let revoked = store.revoke(id, of: alice)
                #expect(try await [.loggedIn, .deviceStopped(.revoked)].contains(outcome))
                #expect(try await revoked?.revokedAt == TestTime.current)
                #expect(try await store.refresh(token, by: device).0 == .refused)
            }
        },

        StoreRequirement("A token and its successor presented at once count as reuse, in either order") { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            for _ in 0..<Self.rounds {
                let first = try await store.logIn(device, id: id, user: alice)
                let (_, second) = try await store.refresh(first, by: device)
                async let again = store.refresh(first, by: device)
                async let next = store.refresh(second, by: device)
                let results = try await [again, next]
                #expect(results.filter { $0.0.isRotated }.count == 1)
                #expect(results.filter { $0.0 == .reused }.count == 1)
                for (_, token) in results {
                    #expect(try await store.refresh(token, by: device).0 == .refused)
                }
            }
        },
    ]

    private static let rounds = 30
}
