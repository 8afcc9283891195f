import NightlatchPostgres
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Remote logins over the connections of two processes")
struct PostgresRemoteLoginTests {
    /// Calls `body` with both stores and their numbers at once, 20 times with each.
    private func race<Value: Sendable>(
        _ stores: [PostgresStore], _ body: @escaping @Sendable (PostgresStore, Int) async throws -> Value
    ) async throws -> [Value] {
        async let left = inParallel(20) { try await body(stores[0], 0) }
        async let right = inParallel(20) { try await body(stores[1], 1) }
        return try await left + right
    }

    @Test("One number is compared, one continuation succeeds and one use of the code gives a grant")
    func once() async throws {
        let schema = TestPostgres.newSchema()
        let stores = [try await TestPostgres.open(schema: schema), try await TestPostgres.open(schema: schema)]
        defer { for store in stores { store.close() } }
        let alice = try Fixture.alice()
        let device = try await stores[0].bind(TestDevice(), to: alice)
        _ = try await stores[0].putApp(TestApp.new(ClientID.default.rawValue), replacing: nil, by: .operator)
        for round in 0..<5 {
            let login = try TestRemoteLogin.new(of: alice, isClaimed: true)
            _ = try await stores[0].openRemoteLogin(login)
            let (wrong, right) = (try TestRemoteLogin.number("24"), login.number)
            // In the first rounds a wrong number competes with the right one.
            let decisions = [right, round < 3 ? wrong : right].map {
                TestRemoteLogin.confirmation(of: login, by: device, number: $0)
            }
            let decided = try await race(stores) { store, index in
                try await store.decideRemoteLogin(decisions[index], consuming: Fixture.use())
            }
            let state = try #require(try await stores[1].remoteLogin(login.id)?.state)
            #expect(decided.count { $0 == .recorded(state) } == 1 && decided.count { $0 == .ended(state) } == 39)

            let code: AuthorizationCodeHash = Fixture.hash()
            let completed = try await race(stores) { store, _ in
                try await store.completeRemoteLogin(TestRemoteLogin.completion(of: login.id, code: code))
            }
            #expect(completed.count { $0 == .code } == (state == .confirmed ? 1 : 0))
            let sender = CodeRedemption.Sender(
                client: .default, redirectURI: try TestRemoteLogin.redirectURI(), challenge: nil, possessionKey: nil)
            let redeemed = try await race(stores) { store, _ in
                try await store.redeemAuthorizationCode(
                    CodeRedemption(
                        code: code, by: sender, grant: .random(), hasRefreshToken: true,
                        life: TestRemoteLogin.grantLife))
            }
            let granted = redeemed.compactMap { if case .granted(let grant, _) = $0 { grant.id } else { nil } }
            #expect(granted.count == (state == .confirmed ? 1 : 0))
            let others = granted.first.map(CodeRedemptionOutcome.reused) ?? .refused
            #expect(redeemed.count { $0 == others } == 40 - granted.count)
        }
    }

    @Test("A login that devices of two users open in two processes is contested, and three requests are permitted")
    func openings() async throws {
        let schema = TestPostgres.newSchema()
        let stores = [try await TestPostgres.open(schema: schema), try await TestPostgres.open(schema: schema)]
        defer { for store in stores { store.close() } }
        let users = [try Fixture.alice(), try Fixture.bob()]
        for user in users { _ = try await stores[0].newCode(for: user) }
        let login = try TestRemoteLogin.new(of: users[0], isClaimed: true)
        let opened = try await race(stores) { store, index in
            try await store.openRemoteLogin(TestRemoteLogin.new(id: login.id, of: users[index], isClaimed: true))
        }
        #expect(opened.contains { if case .contested = $0 { true } else { false } })
        #expect(try await stores[0].remoteLogin(login.id)?.state == .contested)
        let asked = try await race(stores) { store, _ in
            try await store.openRemoteLogin(TestRemoteLogin.new(of: users[1]))
        }
        #expect(asked.count { $0 == .tooMany } == 37)
    }
}
