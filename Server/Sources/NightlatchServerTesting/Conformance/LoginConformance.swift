import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about logins and signing keys that every store keeps.
package enum LoginConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement(
            "A device is found by its key for its own user only, even if it is blocked or revoked"
        ) { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            _ = try await store.bind(TestDevice(), to: alice)
            #expect(try await store.device(withKey: device.key.id, of: alice)?.id == id)
            _ = try await store.revoke(id, of: alice)
            #expect(try await store.device(withKey: device.key.id, of: alice)?.stop == .revoked)
            #expect(try await store.device(withKey: device.key.id, of: Fixture.bob()) == nil)
            #expect(try await store.device(withKey: TestKey.newEC().id, of: alice) == nil)
        },

        StoreRequirement("A login is recorded and its challenge is accepted once, even for the same message") { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
            #expect(try await store.device(id, of: alice)?.lastLoginAt == TestTime.current)
        },

        StoreRequirement("A challenge of a binding is refused for a login") { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let binding = try device.binding(user: alice, code: try await store.newCode(for: alice))
            guard case .bound(let id) = try await store.bind(binding, consuming: use) else {
                Issue.record("not bound")
                return
            }
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
        },

        StoreRequirement("A login of an unknown device, another user's device or a revoked one is refused") { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(device, to: alice)
            func outcome(_ id: DeviceID, _ user: UserID) async throws -> LoginOutcome {
                try await store.recordLogin(device.login(id: id, user: user), consuming: Fixture.use())
            }
            #expect(try await outcome(.random(), alice) == .noSuchDevice)
            #expect(try await outcome(id, bob) == .noSuchDevice)
            _ = try await store.revoke(id, of: alice)
            #expect(try await outcome(id, alice) == .deviceStopped(.revoked))
        },

        StoreRequirement("One challenge finished 200 times at once logs in once") { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            let outcomes = try await inParallel(200) {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
            }
            #expect(outcomes.filter { $0 == .loggedIn }.count == 1)
            #expect(outcomes.filter { $0 == .challengeUsed }.count == 199)
        },

        StoreRequirement("A used challenge is kept for five minutes after its expiry") { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
            // The purges run later. The logins run at the start time, at which the challenge has not expired.
            try await TestTime.after(.seconds(120 + 300)) { try await store.purgeExpired() }
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
            try await TestTime.after(.seconds(120 + 301)) { try await store.purgeExpired() }
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
        },

        StoreRequirement("50 concurrent additions of a signing key all get the same one") { store in
            let results = try await inParallel(50) {
                try await store.addSigningKey(try Fixture.signingKey(), after: nil)
            }
            #expect(Set(results).count == 1)
            #expect(try await store.addSigningKey(try Fixture.signingKey(), after: nil) == results.first)
        },

        StoreRequirement("After signing keys are forgotten, a new one can be added") { store in
            let keys = try (0..<2).map { _ in try Fixture.signingKey() }
            #expect(try await store.forgetSigningKeys() == 0)
            #expect(try await store.addSigningKey(keys[0], after: nil) == [keys[0]])
            #expect(try await store.forgetSigningKeys() == 1)
            #expect(try await store.addSigningKey(keys[1], after: nil) == [keys[1]])
        },
    ]
}
