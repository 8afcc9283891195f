import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Passwords over HTTP")
struct PasswordRouteTests {
    private static let cheap = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)

    private func withCaller(
        _ store: some RelyingPartyStore = MemoryRelyingPartyStore(clock: TestTime.clock),
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
        "A password that the backend has set gives a device a code, and the code binds the device",
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

    @Test("An unknown user, a wrong password and a user who must wait get the same answer, byte for byte")
    func sameAnswer() async throws {
        try await withCaller { caller in
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            _ = try await Self.send("right", of: alice, to: .setPassword, at: caller)
            for route in [Route.enrolByPassword, .verifyPassword] {
                var answers = [try await Self.send("right", of: bob, to: route, at: caller)]
                for _ in 1...5 { answers.append(try await Self.send("wrong", of: alice, to: route, at: caller)) }
                // By now the right password has to wait too.
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

    @Test("Only the backend sets and verifies passwords", arguments: [Route.setPassword, .verifyPassword])
    func backendOnly(route: Route) async throws {
        try await withCaller { caller in
            try await Self.send("x", of: try Fixture.alice(), to: route, at: caller, asBackend: false)
                .expectProblem(.backendKeyRefused, 401)
        }
    }

    @Test("Two spellings of one password are equal, and the stored value does not contain the password")
    func normalisation() async throws {
        let hasher = PasswordHasher(Self.cheap)
        let place = try hasher.place(for: .backend)
        let stored = try await hasher.hash(try #require(Password(rawValue: "caf\u{E9} \u{2460}")), at: place)
        let same = try await hasher.verify(
            try #require(Password(rawValue: "cafe\u{301} 1")), against: stored, at: place)
        #expect(same == .right)
        let other = try await hasher.verify(try #require(Password(rawValue: "cafe 1")), against: stored, at: place)
        #expect(other == .wrong)
        let again = try await hasher.hash(try #require(Password(rawValue: "caf\u{E9} \u{2460}")), at: place)
        #expect(again.salt != stored.salt && again.hash != stored.hash)
    }

    private static func client(_ address: String) throws -> PasswordHasherPlace.Caller {
        let address: IPAddress = try #require(IPAddress(address))
        return .client(address)
    }

    /// Takes as many places as `caller` gets.
    private static func places(
        for caller: PasswordHasherPlace.Caller, of hasher: PasswordHasher
    ) -> [PasswordHasherPlace] {
        var places: [PasswordHasherPlace] = []
        while let place = try? hasher.place(for: caller) { places.append(place) }
        return places
    }

    private static func hasher(waitingLimit: Int) -> PasswordHasher {
        PasswordHasher(
            PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero, waitingLimit: waitingLimit))
    }

    @Test("One address gets half of the clients' places at most, and every other address still gets one")
    func placesOfAddresses() throws {
        let hasher = Self.hasher(waitingLimit: 64)
        let first = Self.places(for: try Self.client("192.0.2.1"), of: hasher)
        #expect(first.count == 24)
        let second = Self.places(for: try Self.client("192.0.2.2"), of: hasher)
        #expect(second.count == 12)
        let others = try (3...14).map { try hasher.place(for: Self.client("192.0.2.\($0)")) }
        #expect(others.count == 12)
        let (loud, late) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.15"))
        for caller in [loud, late] { #expect(throws: Refusal.overloaded) { try hasher.place(for: caller) } }
        first[0].leave()
        _ = try hasher.place(for: late)
    }

    @Test("Clients leave a quarter of the places to the backend, and the backend leaves a quarter to clients")
    func placesOfBackend() throws {
        let hasher = Self.hasher(waitingLimit: 8)
        let clients = try (1...6).map { try hasher.place(for: Self.client("192.0.2.\($0)")) }
        let late = try Self.client("192.0.2.7")
        #expect(throws: Refusal.overloaded) { try hasher.place(for: late) }
        #expect(Self.places(for: .backend, of: hasher).count == 2)
        for place in clients { place.leave() }
        let backends = Self.places(for: .backend, of: hasher)
        #expect(backends.count == 6)
        let last = try (1...2).map { try hasher.place(for: Self.client("192.0.2.\($0)")) }
        #expect(last.count == 2)
    }

    @Test("Passwords of several addresses are hashed in turn, and every second one is the backend's")
    func turns() throws {
        let (loud, quiet) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.2"))
        var queue = PasswordQueue<String>()
        for number in 1...4 { queue.add("loud \(number)", of: loud) }
        #expect(queue.next() == "loud 1")
        queue.add("quiet 1", of: quiet)
        for number in 1...2 { queue.add("backend \(number)", of: .backend) }
        #expect((1...4).map { _ in queue.next() } == ["backend 1", "loud 2", "backend 2", "quiet 1"])
        queue.add("quiet 2", of: quiet)
        #expect((1...4).map { _ in queue.next() } == ["loud 3", "quiet 2", "loud 4", nil])
        queue.add("loud 5", of: loud)
        #expect(queue.next() == "loud 5" && queue.next() == nil)
    }

    @Test("An address that keeps all its places busy does not keep another address from trying a right password")
    func fairShare() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        // Each wrong password keeps its place for longer than the test needs to see that further requests are refused.
        let hashing = PasswordHashing(unchecked: 32 * 1024, passes: 4, lanes: 1, answerTime: .zero, waitingLimit: 8)
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = hashing
        configuration.limits.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
        let fixed = configuration
        try await TestRelyingParty.with(store, setup: .live, configuration: fixed) { caller in
            let alice = try Fixture.alice()
            _ = try await Self.send("right", of: alice, to: .setPassword, at: caller)
            let port = try #require(caller.client.port)
            let wrong = #"{"user":"bob","password":"wrong"}"#
            let loud = try (1...12).map { _ in try RawConnection(port: port) }
            for connection in loud {
                connection.send(
                    "POST \(Route.enrolByPassword.path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(wrong.utf8.count)\r\n\r\n\(wrong)")
            }
            try await withThrowingTaskGroup(of: String?.self) { group in
                for connection in loud { group.addTask { await connection.receive() } }
                // Once one request is refused, the others have all the places that the address gets.
                while let answer = try await group.next(), answer?.hasPrefix("HTTP/1.1 503") != true {}
                let credentials = Credentials(user: alice, password: try #require(Password(rawValue: "right")))
                let answer = try await caller.post(
                    credentials, to: .enrolByPassword, headers: ["X-Forwarded-For": "192.0.2.2"])
                #expect(answer.status == .ok)
            }
        }
    }

    @Test("A password that could not be tried for lack of room is not counted")
    func noRoom() async throws {
        let (store, alice) = (MemoryRelyingPartyStore(clock: TestTime.clock), try Fixture.alice())
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

    @Test("A password with weaker hashing is hashed again when it is next used")
    func raising() async throws {
        let (store, alice) = (MemoryRelyingPartyStore(clock: TestTime.clock), try Fixture.alice())
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

    @Test("Parameters below OWASP's minimum are refused")
    func floor() {
        #expect(PasswordHashing(memoryKibibytes: 19 * 1024, passes: 2) != nil)
        #expect(PasswordHashing(memoryKibibytes: 7 * 1024, passes: 5) != nil)
        #expect(PasswordHashing(memoryKibibytes: 7 * 1024, passes: 4) == nil)
        #expect(PasswordHashing(memoryKibibytes: 6 * 1024, passes: 10) == nil)
        #expect(PasswordHashing(memoryKibibytes: 2 * 1024 * 1024, passes: 1) == nil)
    }
}
