import NightlatchRelyingParty
import NightlatchWire
import Testing

/// API keys in every store.
package enum APIKeyConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("An API key is stored as it was created, with the hash of its secret and never the secret") {
            store in
            #expect(try await store.apiKeys() == [])
            for (index, scopes) in [[.usersRead], Set(APIScope.allCases)].enumerated() {
                let token = APIToken.random(for: .random())
                let end = index == 0 ? nil : TestTime.current + .seconds(60)
                let new = try TestAPIKey.new("key \(index)", scopes: scopes, expiresAt: end, token: token)
                let expected = APIKey(
                    id: token.keyID, name: new.name, scopes: scopes, createdAt: TestTime.current, expiresAt: end)
                #expect(try await store.createAPIKey(new, by: .operator) == .created(expected))
                let stored = try #require(try await store.apiKey(token.keyID))
                #expect(stored == StoredAPIKey(key: expected, hash: token.hash))
                #expect(stored.accepts(token, at: TestTime.current))
            }
            #expect(try await store.apiKey(.random()) == nil)
        },

        StoreRequirement("Active keys are listed oldest first, then revoked ones, the newest revocation first") { store in
            var ids: [APIKeyID] = []
            for number in 0..<5 {
                try await TestTime.after(.seconds(number)) {
                    ids.append(try await TestAPIKey.created("key \(number)", in: store).keyID)
                }
            }
            for (second, number) in [(10, 3), (11, 0)] {
                try await TestTime.after(.seconds(second)) {
                    _ = try await store.revokeAPIKey(ids[number], by: .operator)
                }
            }
            #expect(try await store.apiKeys().map(\.id) == [ids[1], ids[2], ids[4], ids[0], ids[3]])
        },

        StoreRequirement("No two keys that are not revoked have the same name, byte by byte") { store in
            let first = try await TestAPIKey.created("shop é", in: store)
            #expect(try await store.createAPIKey(TestAPIKey.new("shop é"), by: .operator) == .nameTaken)
            for other in ["Shop é", "shop e\u{301}"] {
                guard case .created = try await store.createAPIKey(TestAPIKey.new(other), by: .operator) else {
                    throw StepFailed(outcome: "not created: \(other)")
                }
            }
            _ = try await store.revokeAPIKey(first.keyID, by: .operator)
            _ = try await TestAPIKey.created("shop é", in: store)
            #expect(try await store.apiKeys().count == 4)
        },

        StoreRequirement("Of many who create a key of one name at once, one does") { store in
            for round in 0..<5 {
                let outcomes = try await inParallel(8) {
                    try await store.createAPIKey(TestAPIKey.new("key \(round)"), by: .operator)
                }
                #expect(outcomes.count { if case .created = $0 { true } else { false } } == 1)
                #expect(outcomes.count { $0 == .nameTaken } == 7)
            }
            #expect(try await store.apiKeys().count == 5)
        },

        StoreRequirement("There are at most 100 keys that are not revoked, also if many are created at once") { store in
            for number in 0..<APIKey.countLimit - 3 { _ = try await TestAPIKey.created("key \(number)", in: store) }
            let outcomes = try await inParallel(8) {
                try await store.createAPIKey(TestAPIKey.new("late \(APIKeyID.random())"), by: .operator)
            }
            #expect(outcomes.count { $0 == .tooMany } == 5)
            let keys = try await store.apiKeys()
            #expect(keys.count == APIKey.countLimit)
            _ = try await store.revokeAPIKey(try #require(keys.first).id, by: .operator)
            _ = try await TestAPIKey.created("one more", in: store)
        },

        StoreRequirement("A key that would have expired already is not created; an expired one stays listed") { store in
            let late = try TestAPIKey.new("late", expiresAt: TestTime.current + .seconds(-1))
            #expect(try await store.createAPIKey(late, by: .operator) == .expired)
            #expect(try await store.apiKeys() == [])
            let token = APIToken.random(for: .random())
            let new = try TestAPIKey.new("short", expiresAt: TestTime.current, token: token)
            _ = try await store.createAPIKey(new, by: .operator)
            let stored = try #require(try await store.apiKey(token.keyID))
            #expect(stored.accepts(token, at: TestTime.current))
            #expect(!stored.accepts(token, at: TestTime.current + .seconds(1)))
            try await TestTime.after(.seconds(1)) { () async throws in
                #expect(try await store.apiKeys().map { $0.state(at: TestTime.current) } == [.expired])
            }
        },

        StoreRequirement("A revoked key is refused from then on, and revoking is idempotent, also at once") { store in
            #expect(try await store.revokeAPIKey(.random(), by: .operator) == nil)
            for round in 0..<5 {
                let token = try await TestAPIKey.created("key \(round)", in: store)
                let revoked = try await TestTime.after(.seconds(5)) {
                    try await inParallel(6) { try await store.revokeAPIKey(token.keyID, by: .operator) }
                }
                #expect(revoked.allSatisfy { $0?.revokedAt == TestTime.current + .seconds(5) })
                let stored = try #require(try await store.apiKey(token.keyID))
                #expect(!stored.accepts(token, at: TestTime.current))
                let again = try await TestTime.after(.seconds(9)) {
                    try await store.revokeAPIKey(token.keyID, by: .operator)
                }
                #expect(again?.revokedAt == TestTime.current + .seconds(5))
            }
            let events = try await store.auditEntries(matching: AuditFilter(kind: .apiKeyRevoked), before: nil, limit: 99)
            #expect(events.count == 5)
        },

        StoreRequirement("A revocation that has returned is seen by each later read") { store in
            for round in 0..<20 {
                let token = try await TestAPIKey.created("key \(round)", in: store)
                async let reads = inParallel(4) { try await store.apiKey(token.keyID) }
                _ = try await store.revokeAPIKey(token.keyID, by: .operator)
                let after = try await store.apiKey(token.keyID)
                #expect(after?.key.revokedAt != nil)
                #expect(try await reads.allSatisfy { $0 != nil })
            }
        },

        StoreRequirement("The log names the key that acts, the key that is created or revoked, and the reason") { store in
            let acting = ActingParty(.operator, key: .random(), name: APIKeyName(rawValue: "night shift"))
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            let token = APIToken.random(for: .random())
            let new = try TestAPIKey.new("shop", scopes: [.usersRead, .appsWrite], token: token)
            _ = try await store.createAPIKey(new, by: acting)
            _ = try await store.createAPIKey(try TestAPIKey.new("shop"), by: acting)
            for _ in 0..<2 { _ = try await store.revokeAPIKey(token.keyID, by: acting.giving(reason)) }
            let alice = try Fixture.alice()
            let device = try await store.bind(TestDevice(), to: alice)
            _ = try await store.change(device, of: alice, by: acting.giving(reason), .block)

            let events = try await store.auditEntries(of: nil, before: nil, limit: 9).map(\.event)
                .filter { $0.actor.kind == .operator }
            #expect(events.map(\.kind) == [.deviceBlocked, .apiKeyRevoked, .apiKeyCreated])
            #expect(events.allSatisfy { $0.actor == acting })
            #expect(events.map(\.reason) == [reason, reason, nil])
            #expect(events.map(\.apiKey) == [nil, token.keyID, token.keyID])
            #expect(events.map { $0.apiKeyName?.rawValue } == [nil, "shop", "shop"])
            #expect(events.map(\.scopes) == [nil, nil, [.appsWrite, .usersRead]])
            // A list of devices shows who blocked a device by the kind of party, as before.
            #expect(try await store.device(device, of: alice)?.block?.actor == .operator)
            #expect(try await AuditSteps.findings(in: store).isEmpty)
        },
    ]
}
