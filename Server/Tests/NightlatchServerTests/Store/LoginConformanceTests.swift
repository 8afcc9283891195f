import NightlatchServer
import NightlatchWire
import Testing

@Suite("Every store keeps the rules of logins, refreshing and revoking")
struct LoginConformanceTests {
    @Test("A login is noted and its challenge serves once, even for the same message", arguments: StoreKind.allCases)
    func loginOnce(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
            #expect(try await store.device(id, of: alice)?.lastLoginAt == TestTime.current)
        }
    }

    @Test("A challenge of a binding serves no login", arguments: StoreKind.allCases)
    func challengeOfABinding(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let binding = try device.binding(user: alice, code: try await store.newCode(for: alice))
            guard case .bound(let id) = try await store.bind(binding, consuming: use) else {
                Issue.record("not bound")
                return
            }
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .challengeUsed)
        }
    }

    @Test("A login of an unknown device, another user's or a revoked one is refused", arguments: StoreKind.allCases)
    func refusedLogins(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, bob, device) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await store.bind(device, to: alice)
            func outcome(_ id: DeviceID, _ user: UserID) async throws -> LoginOutcome {
                try await store.recordLogin(device.login(id: id, user: user), consuming: Fixture.use())
            }
            #expect(try await outcome(.random(), alice) == .noSuchDevice)
            #expect(try await outcome(id, bob) == .noSuchDevice)
            _ = try await store.revoke(id, of: alice)
            #expect(try await outcome(id, alice) == .deviceRevoked)
        }
    }

    @Test("One challenge finished 200 times at once logs in once", arguments: StoreKind.allCases)
    func raceForAChallenge(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            let outcomes = try await inParallel(200) {
                try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
            }
            #expect(outcomes.filter { $0 == .loggedIn }.count == 1)
            #expect(outcomes.filter { $0 == .challengeUsed }.count == 199)
        }
    }

    @Test("A used challenge is remembered for five minutes after it expired", arguments: StoreKind.allCases)
    func purge(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device, use) = (try Fixture.alice(), TestDevice(), Fixture.use())
            let id = try await store.bind(device, to: alice)
            #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: use) == .loggedIn)
            let longer = ChallengeUse(
                challenge: use.challenge, message: use.message, expiresAt: use.expiresAt + .seconds(9999))
            try await TestTime.after(.seconds(120 + 300)) {
                try await store.purgeExpired()
                #expect(
                    try await store.recordLogin(device.login(id: id, user: alice), consuming: longer) == .challengeUsed)
            }
            try await TestTime.after(.seconds(120 + 301)) {
                try await store.purgeExpired()
                #expect(try await store.recordLogin(device.login(id: id, user: alice), consuming: longer) == .loggedIn)
            }
        }
    }

    @Test(
        "Until its successor is used, a refresh token yields a fresh one and voids the last",
        arguments: StoreKind.allCases)
    func lostAnswer(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let first = try await store.logIn(device, id: id, user: alice)
            let (_, lost) = try await store.refresh(first, by: device)
            let (again, second) = try await store.refresh(first, by: device)
            #expect(again == .rotated(device: id, user: alice, client: .default))
            let (next, third) = try await store.refresh(second, by: device)
            #expect(next.isRotated)
            #expect(try await store.refresh(lost, by: device).0 == .reused)
            #expect(try await store.refresh(third, by: device).0 == .refused)
        }
    }

    @Test(
        "A token that comes back after its successor was used revokes its family alone", arguments: StoreKind.allCases)
    func reuse(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let first = try await store.logIn(device, id: id, user: alice)
            let other = try await store.logIn(device, id: id, user: alice)
            let (_, second) = try await store.refresh(first, by: device)
            let (_, third) = try await store.refresh(second, by: device)
            #expect(try await store.refresh(first, by: device).0 == .reused)
            #expect(try await store.refresh(third, by: device).0 == .refused)
            #expect(try await store.refresh(other, by: device).0.isRotated)
        }
    }

    @Test("Another key, an unknown token and an idle one are refused and change nothing", arguments: StoreKind.allCases)
    func refusedRefreshes(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            #expect(try await store.refresh(token, by: TestDevice()).0 == .refused)
            #expect(try await store.refresh(Fixture.hash(), by: device).0 == .refused)
            try await TestTime.after(.seconds(30 * 24 * 60 * 60 + 1)) {
                let (outcome, _) = try await store.refresh(token, by: device)
                #expect(outcome == .refused)
            }
        }
    }

    @Test("One refresh token presented 200 times at once leaves one usable successor", arguments: StoreKind.allCases)
    func raceForARefresh(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, device) = (try Fixture.alice(), TestDevice())
            let id = try await store.bind(device, to: alice)
            let token = try await store.logIn(device, id: id, user: alice)
            let results = try await inParallel(200) { try await store.refresh(token, by: device) }
            #expect(results.allSatisfy { $0.0.isRotated })
            let (again, usable) = try await store.refresh(token, by: device)
            #expect(again.isRotated)
            #expect(try await store.refresh(usable, by: device).0.isRotated)
            let voided = try #require(results.randomElement()).1
            #expect(try await store.refresh(voided, by: device).0 == .reused)
        }
    }

    @Test(
        "Revoking ends every refresh token of the device, leaves others be and may be done again",
        arguments: StoreKind.allCases)
    func revoke(kind: StoreKind) async throws {
        try await kind.with { store in
            let (alice, bob, lost, kept) = (try Fixture.alice(), try Fixture.bob(), TestDevice(), TestDevice())
            let lostID = try await store.bind(lost, to: alice)
            let keptID = try await store.bind(kept, to: alice)
            let lostToken = try await store.logIn(lost, id: lostID, user: alice)
            let keptToken = try await store.logIn(kept, id: keptID, user: alice)
            #expect(try await store.revoke(lostID, of: bob) == nil)
            let revoked = try #require(try await store.revoke(lostID, of: alice))
            #expect(revoked.revokedAt == TestTime.current)
            try await TestTime.after(.seconds(5)) {
                let again = try await store.revoke(lostID, of: alice)
                #expect(again == revoked)
            }
            #expect(try await store.refresh(lostToken, by: lost).0 == .refused)
            #expect(try await store.refresh(keptToken, by: kept).0.isRotated)
        }
    }

    @Test("Of 50 signing keys added at once all get the same one", arguments: StoreKind.allCases)
    func raceForASigningKey(kind: StoreKind) async throws {
        try await kind.with { store in
            let results = try await inParallel(50) {
                try await store.addSigningKeyIfNone(
                    SealedSigningKey(id: try TestKey.newEC().id, box: [1, 2, 3], createdAt: TestTime.current))
            }
            #expect(Set(results).count == 1)
            #expect(try await store.signingKeys() == results.first)
        }
    }
}
