import NightlatchServer
import NightlatchWire
import Testing

@Suite("Every store keeps the rules of bindings")
struct BindingConformanceTests {
    @Test("A code binds one key, and the device is there", arguments: StoreKind.allCases)
    func bindsOnce(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let found = try #require(try await store.device(id, of: alice))
            #expect(found.key == (try device.key.jwk))
            #expect(found.possessionKey == (try device.possession.id))
            #expect(found.boundAt == TestTime.current)
            #expect(found.revokedAt == nil)
            #expect(try await store.devices(of: alice) == [found])
            #expect(try await store.device(id, of: Fixture.bob()) == nil)
            #expect(try await store.devices(of: Fixture.bob()).isEmpty)
        }
    }

    @Test("A used code is refused to another key and good again for its own", arguments: StoreKind.allCases)
    func usedCode(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, thief) = (try Fixture.alice(), TestDevice(), TestDevice())
            let code = try await store.newCode(for: alice)
            #expect(try await store.user(enrolledBy: code, deviceKey: thief.key.id) == alice)
            let first = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(try await store.user(enrolledBy: code, deviceKey: thief.key.id) == nil)
            #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == alice)
            let stolen = try await store.bind(thief.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(stolen == .codeRefused)
            let again = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
            #expect(again == first)
            #expect(try await store.devices(of: alice).count == 1)
        }
    }

    @Test("An unknown, an expired and another user's code are refused", arguments: StoreKind.allCases)
    func refusedCodes(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let unknown = try await store.bind(
                device.binding(user: alice, code: Fixture.hash()), consuming: Fixture.use())
            #expect(unknown == .codeRefused)
            let bobs = try await store.newCode(for: Fixture.bob())
            let others = try await store.bind(device.binding(user: alice, code: bobs), consuming: Fixture.use())
            #expect(others == .codeRefused)
            let code = try await store.newCode(for: alice)
            try await TestTime.after(.seconds(601)) {
                #expect(try await store.user(enrolledBy: code, deviceKey: device.key.id) == nil)
                let late = try await store.bind(device.binding(user: alice, code: code), consuming: Fixture.use())
                #expect(late == .codeRefused)
            }
            #expect(try await store.devices(of: alice).isEmpty)
        }
    }

    @Test(
        "The same message again gives the same device, another with its challenge is refused",
        arguments: StoreKind.allCases)
    func sameMessage(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let binding = try device.binding(user: alice, code: try await store.newCode(for: alice))
            let first = try await store.bind(binding, consuming: use)
            #expect(try await store.bind(binding, consuming: use) == first)
            let other = try TestDevice().binding(user: alice, code: try await store.newCode(for: alice))
            #expect(try await store.bind(other, consuming: Fixture.use(use.challenge)) == .challengeUsed)
        }
    }

    @Test("A challenge past its life by the store's clock binds nothing", arguments: StoreKind.allCases)
    func expiredChallenge(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, use) = (try Fixture.alice(), Fixture.use())
            let binding = try TestDevice().binding(user: alice, code: try await store.newCode(for: alice))
            try await TestTime.after(.seconds(121)) {
                let outcome = try await store.bind(binding, consuming: use)
                #expect(outcome == .challengeExpired)
            }
            #expect(try await store.bind(binding, consuming: use) != .challengeExpired)
        }
    }

    @Test("A refused binding uses nothing up", arguments: StoreKind.allCases)
    func refusalWritesNothing(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let refused = try await store.bind(device.binding(user: alice, code: Fixture.hash()), consuming: use)
            #expect(refused == .codeRefused)
            let code = try await store.newCode(for: alice)
            let bound = try await store.bind(
                device.binding(user: alice, code: code), consuming: Fixture.use(use.challenge))
            #expect(bound != .challengeUsed)
        }
    }

    @Test("A key is bound to one user and, once revoked, to nobody", arguments: StoreKind.allCases)
    func boundKey(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.bind(device, to: alice) == id)
            let bobs = try device.binding(user: bob, code: try await store.newCode(for: bob))
            #expect(try await store.bind(bobs, consuming: Fixture.use()) == .keyOfAnotherUser)
            _ = try await store.revoke(id, of: alice)
            let again = try device.binding(user: alice, code: try await store.newCode(for: alice))
            #expect(try await store.bind(again, consuming: Fixture.use()) == .deviceRevoked)
        }
    }

    @Test("One code used by 50 keys at once binds one of them", arguments: StoreKind.allCases)
    func raceForACode(kind: StoreKind) async throws {
        try await kind.with { store in
            let alice = try Fixture.alice()
            let code = try await store.newCode(for: alice)
            let outcomes = try await inParallel(50) {
                try await store.bind(TestDevice().binding(user: alice, code: code), consuming: Fixture.use())
            }
            #expect(outcomes.filter { $0 == .codeRefused }.count == 49)
            #expect(try await store.devices(of: alice).count == 1)
        }
    }
}
