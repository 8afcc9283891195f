import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchServer
import NightlatchWire
import Testing

@Suite("Passwords over HTTP")
struct PasswordRouteTests {
    private static let cheap = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)

    private func withCaller(
        _ store: some RelyingPartyStore = MemoryStore(clock: TestTime.clock),
        hashing: PasswordHashing = cheap,
        masterKey: MasterKey = .random(),
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = hashing
        try await TestRelyingParty.with(store, masterKey: masterKey, configuration: configuration, body)
    }

    private static func send(
        _ text: String,
        of user: UserID,
        to route: Route,
        at caller: TestCaller,
        asBackend: Bool = true
    ) async throws -> TestResponse {
        let credentials = Credentials(user: user, password: try #require(Password(rawValue: text)))
        let headers = asBackend ? ["Authorization": "Bearer " + caller.backendKey.rawValue] : [:]
        return try await caller.post(credentials, to: route, headers: headers)
    }

    @Test(
        "RP5: A password that the backend has set gives a device a code, and the code binds it",
        arguments: StoreKind.allCases)
    func enrolment(kind: StoreKind) async throws {
        try await kind.with { store in
            try await withCaller(store) { caller in
                let (alice, device) = (try Fixture.alice(), TestDevice())
                let set = try await Self.send("correct horse", of: alice, to: .setPassword, at: caller)
                #expect(try set.message(CredentialsResult.self).user == alice)
                let verified = try await Self.send("correct horse", of: alice, to: .verifyPassword, at: caller)
                #expect(try verified.message(CredentialsResult.self).user == alice)
                let grant = try await Self.send(
                    "correct horse", of: alice, to: .enrolByPassword, at: caller, asBackend: false
                ).message(EnrolmentCodeGrant.self)
                let begun = try await caller.beginBinding(device, code: grant.code)
                #expect(begun.user == alice && grant.user == alice)
            }
        }
    }

    @Test("RP9: An unknown user, a wrong password and a user who must wait get the same answer, byte for byte")
    func sameAnswer() async throws {
        try await withCaller { caller in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            _ = try await Self.send("right", of: alice, to: .setPassword, at: caller)
            for route in [Route.enrolByPassword, .verifyPassword] {
                var answers = [try await Self.send("right", of: bob, to: route, at: caller)]
                for _ in 1...5 { answers.append(try await Self.send("wrong", of: alice, to: route, at: caller)) }
                // By now the right one has to wait too.
                answers.append(try await Self.send("right", of: alice, to: route, at: caller))
                for answer in answers { try answer.expectProblem(.credentialsRefused, 403) }
                #expect(Set(answers.map(\.text)).count == 1)
                try await TestTime.after(.seconds(30)) {
                    let later = try await Self.send("right", of: alice, to: route, at: caller)
                    #expect(later.status == .ok)
                }
            }
        }
    }

    @Test(
        "RP5: Only the backend sets passwords and has them verified", arguments: [Route.setPassword, .verifyPassword])
    func backendOnly(route: Route) async throws {
        try await withCaller { caller in
            try await Self.send("x", of: try Fixture.alice(), to: route, at: caller, asBackend: false)
                .expectProblem(.backendKeyRefused, 401)
        }
    }

    @Test("RP5: One password typed in two ways is one, and it is not kept in what is stored")
    func normalisation() async throws {
        let hasher = PasswordHasher(Self.cheap)
        let place = try hasher.place(for: .backend)
        let stored = try await hasher.hash(try #require(Password(rawValue: "caf\u{E9} \u{2460}")), at: place)
        let same = try await hasher.verify(
            try #require(Password(rawValue: "cafe\u{301} 1")), against: stored, at: place)
        #expect(same)
        let other = try await hasher.verify(try #require(Password(rawValue: "cafe 1")), against: stored, at: place)
        #expect(!other)
        let again = try await hasher.hash(try #require(Password(rawValue: "caf\u{E9} \u{2460}")), at: place)
        #expect(again.salt != stored.salt && again.hash != stored.hash)
    }

    @Test("RP9: Whoever keeps the hasher busy without a key leaves places to the backend")
    func placesOfBackend() throws {
        let hasher = PasswordHasher(
            PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero, waitingLimit: 8))
        var places = try (0..<6).map { _ in try hasher.place(for: .anybody) }
        #expect(throws: Refusal.overloaded) { try hasher.place(for: .anybody) }
        places += try (0..<2).map { _ in try hasher.place(for: .backend) }
        #expect(throws: Refusal.overloaded) { try hasher.place(for: .backend) }
        places.removeLast(2)
        #expect(throws: Refusal.overloaded) { try hasher.place(for: .anybody) }
        places.removeLast()
        _ = try hasher.place(for: .anybody)
    }

    @Test("RP5: A password that there is no room to try is not counted")
    func noRoom() async throws {
        let (store, alice) = (MemoryStore(clock: TestTime.clock), try Fixture.alice())
        let masterKey = MasterKey.random()
        try await withCaller(store, masterKey: masterKey) { caller in
            let set = try await Self.send("right", of: alice, to: .setPassword, at: caller)
            #expect(set.status == .ok)
        }
        let full = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero, waitingLimit: 0)
        try await withCaller(store, hashing: full, masterKey: masterKey) { caller in
            for _ in 1...10 {
                try await Self.send("wrong", of: alice, to: .verifyPassword, at: caller)
                    .expectProblem(.unavailable, 503)
            }
        }
        try await withCaller(store, masterKey: masterKey) { caller in
            let answer = try await Self.send("right", of: alice, to: .verifyPassword, at: caller)
            #expect(answer.status == .ok)
        }
    }

    @Test("RP5: A password that was hashed with less is hashed anew when it is next shown")
    func raising() async throws {
        let (store, alice) = (MemoryStore(clock: TestTime.clock), try Fixture.alice())
        let masterKey = MasterKey.random()
        try await withCaller(store, masterKey: masterKey) { caller in
            _ = try await Self.send("right", of: alice, to: .setPassword, at: caller)
        }
        let better = PasswordHashing(unchecked: 16, passes: 2, lanes: 1, answerTime: .zero)
        try await withCaller(store, hashing: better, masterKey: masterKey) { caller in
            for _ in 1...2 {
                #expect(try await Self.send("right", of: alice, to: .verifyPassword, at: caller).status == .ok)
                let stored = try #require(try await store.chargePasswordAttempt(of: alice))
                #expect(stored.memoryKibibytes == 16 && stored.passes == 2)
            }
        }
    }

    @Test("RP5: Parameters below what OWASP takes for equivalent are none")
    func floor() {
        #expect(PasswordHashing(memoryKibibytes: 19 * 1024, passes: 2) != nil)
        #expect(PasswordHashing(memoryKibibytes: 7 * 1024, passes: 5) != nil)
        #expect(PasswordHashing(memoryKibibytes: 7 * 1024, passes: 4) == nil)
        #expect(PasswordHashing(memoryKibibytes: 6 * 1024, passes: 10) == nil)
        #expect(PasswordHashing(memoryKibibytes: 2 * 1024 * 1024, passes: 1) == nil)
    }
}
