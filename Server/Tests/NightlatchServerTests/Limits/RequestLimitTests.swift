import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Limits on requests")
struct RequestLimitTests {
    private static let never = RateLimit(count: 1, period: .seconds(100_000), burst: 3)

    private func withCaller(
        _ limits: RequestLimits,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits = limits
        configuration.limits.answerDelay = .zero
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), setup: .live, configuration: configuration, body)
    }

    private func perAddress(trusting proxies: [String] = []) throws -> RequestLimits {
        var limits = RequestLimits()
        limits.perAddress = Self.never
        limits.trustedProxies = try proxies.map { try #require(AddressRange($0)) }
        return limits
    }

    @Test(
        "The limit's number of requests of one address is answered, and then requests are refused until it has rested")
    func perAddress() async throws {
        try await withCaller(try perAddress()) { caller in
            for (route, status) in [(Route.beginLogin, 415), (.token, 400), (.beginBinding, 415)] {
                #expect(try await caller.call(.post, route.path).status.code == status)
            }
            for route in [Route.beginLogin, .beginBinding, .finishBinding] {
                let response = try await caller.call(.post, route.path)
                try response.expectProblem(.rateLimited, 429)
                let wait = try #require(response.headers[.retryAfter].flatMap(Int.init))
                #expect((1...100_000).contains(wait))
            }
            try await caller.call(.get, Route.devices.path).expectProblem(.rateLimited, 429)
            let response = try await caller.call(.post, Route.token.path)
            try response.expectOAuthError(.temporarilyUnavailable, .rateLimited, 429)
            #expect(response.headers[.retryAfter] != nil)
        }
    }

    @Test(
        """
        A backend request without the key is refused, then counted for its address; the backend itself is never \
        limited
        """)
    func backendRoutes() async throws {
        try await withCaller(try perAddress()) { caller in
            for route in [Route.enrolmentCodes, .createTransaction, .setPassword] {
                try await caller.call(.post, route.path).expectProblem(.backendKeyRefused, 401)
            }
            for route in [Route.enrolmentCodes, .createTransaction, .setPassword, .verifyPassword, .beginLogin] {
                try await caller.call(.post, route.path).expectProblem(.rateLimited, 429)
            }
            try await caller.call(.post, Route.introspectToken.path)
                .expectOAuthError(.temporarilyUnavailable, .rateLimited, 429)
            for _ in 0..<10 { _ = try await caller.code(for: Fixture.alice()) }
        }
    }

    @Test("The backend, which has a key, is not limited by address, and takes nothing from clients of its address")
    func backendIsUnlimited() async throws {
        try await withCaller(try perAddress()) { caller in
            for _ in 0..<10 { _ = try await caller.code(for: Fixture.alice()) }
            #expect(try await caller.call(.post, Route.beginLogin.path).status == .unsupportedMediaType)
        }
    }

    @Test("Unknown paths, wrong methods and public documents are limited by address")
    func othersAreLimited() async throws {
        try await withCaller(try perAddress()) { caller in
            let tried: [(HTTPRequest.Method, String, Int)] = [
                (.get, "/nope", 404), (.delete, Route.token.path, 405), (.get, Route.jwks.path, 200),
            ]
            for (method, path, status) in tried {
                #expect(try await caller.call(method, path).status.code == status)
            }
            for (method, path, _) in tried + [(.get, Route.metadata.path, 200), (.post, Route.beginLogin.path, 415)] {
                try await caller.call(method, path).expectProblem(.rateLimited, 429)
            }
        }
    }

    @Test("The health routes always answer, whatever else their address sends")
    func healthIsAlwaysAnswered() async throws {
        try await withCaller(try perAddress()) { caller in
            for _ in 0..<5 { _ = try await caller.call(.get, "/nope") }
            for _ in 0..<20 {
                for route in [Route.liveness, .readiness] {
                    #expect(try await caller.call(.get, route.path).status == .ok)
                }
            }
            try await caller.call(.get, "/nope").expectProblem(.rateLimited, 429)
        }
    }

    /// Sends a request from each of `addresses` in turn and returns which ones were let through.
    private func letThrough(_ addresses: [String], _ caller: TestCaller) async throws -> [Bool] {
        var results: [Bool] = []
        for address in addresses {
            let response = try await caller.call(
                .post, Route.beginLogin.path, headers: ["X-Forwarded-For": address])
            results.append(response.status != .tooManyRequests)
        }
        return results
    }

    @Test("A client that is not a trusted proxy cannot claim another address")
    func untrustedForwarding() async throws {
        for proxies in [[], ["10.0.0.0/8"], ["127.0.0.2"]] {
            try await withCaller(try perAddress(trusting: proxies)) { caller in
                let results = try await letThrough((1...6).map { "192.0.2.\($0)" }, caller)
                #expect(results == [true, true, true, false, false, false])
            }
        }
    }

    @Test("Behind a trusted proxy each client is counted separately, by the address that the proxies have seen")
    func trustedForwarding() async throws {
        try await withCaller(try perAddress(trusting: ["127.0.0.0/8", "10.0.0.0/8"])) { caller in
            let own = try await letThrough(["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"], caller)
            #expect(own == [true, true, true, false])
            // The entry that the client itself wrote comes first, and another trusted proxy's comes last.
            let forged = try await letThrough(
                ["198.51.100.9, 192.0.2.1", "192.0.2.1,10.1.1.1", "nonsense, 192.0.2.1, 10.1.1.1"], caller)
            #expect(forged == [false, false, false])
            let other = try await letThrough(["192.0.2.2", "192.0.2.1, 192.0.2.2"], caller)
            #expect(other == [true, true])
            // Some proxies also write the port.
            let ports = try await letThrough(
                [
                    "192.0.2.7:50001", "192.0.2.8:50001", "192.0.2.9:1, 10.1.1.1:2", "[2001:db8:7::1]:443",
                    "192.0.2.7:7", "192.0.2.7:8",
                ]
                    + ["192.0.2.7:9"], caller)
            #expect(ports == [true, true, true, true, true, true, false])
            // One IPv6 customer has a whole /64.
            let sameNetwork = try await letThrough(
                ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::", "2001:db8::3", "2001:db8:0:1::"], caller)
            #expect(sameNetwork == [true, true, true, false, true])
        }
    }

    @Test("Logins are limited for each user name, whether the user exists or not, and other users are not affected")
    func perAccount() async throws {
        var limits = RequestLimits()
        limits.perAccount = Self.never
        try await withCaller(limits) { caller in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(phone, to: alice)
            var answers: [String] = []
            for user in [alice, try #require(UserID(rawValue: "nobody"))] {
                for _ in 0..<3 { _ = try await caller.beginLogin(user: user, device: id) }
                let response = try await caller.post(LoginRequest(user: user, device: id), to: .beginLogin)
                try response.expectProblem(.rateLimited, 429)
                #expect(response.headers[.retryAfter].flatMap(Int.init).map { $0 > 0 } == true)
                answers.append(response.text)
            }
            #expect(answers[0] == answers[1])
            #expect(try await caller.logIn(TestDevice(), id: id, user: Fixture.bob()).status == .badRequest)
        }
    }

    @Test("A request beyond the limit on concurrent requests is refused, and accepted when another has ended")
    func concurrency() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.concurrentRequests = 1
        configuration.limits.perAddress = nil
        // So a wrong password keeps a request running for that time.
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .seconds(1))
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), setup: .live, configuration: configuration
        ) { caller in
            let body = #"{"user":"alice","password":"wrong"}"#
            let slow = try RawConnection(port: try #require(caller.client.port))
            func begin() async throws -> TestResponse { try await caller.call(.post, Route.beginLogin.path) }
            var response = try await begin()
            while response.status != .serviceUnavailable {
                slow.send(
                    "POST \(Route.enrolByPassword.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                let end = ContinuousClock.now + .seconds(1)
                while response.status != .serviceUnavailable, ContinuousClock.now < end { response = try await begin() }
                // Liveness can be checked all the same.
                #expect(try await caller.call(.get, Route.liveness.path).status == .ok)
            }
            try response.expectProblem(.unavailable, 503)
            #expect(response.headers[.retryAfter] == "1")
            while response.status == .serviceUnavailable { response = try await begin() }
            try response.expectProblem(.unsupportedMediaType, 415)
        }
    }

    @Test("Headers that are too large or too many are refused with the right status, and others are read")
    func headers() async throws {
        try await withCaller(RequestLimits()) { caller in
            let port = try #require(caller.client.port)
            func status(_ headers: String) async throws -> String {
                let connection = try RawConnection(port: port)
                connection.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n")
                return String(await connection.receive()?.prefix(12) ?? "")
            }
            #expect(try await status("A: " + String(repeating: "a", count: 30 * 1024) + "\r\n") == "HTTP/1.1 200")
            #expect(try await status("A: " + String(repeating: "a", count: 40 * 1024) + "\r\n") == "HTTP/1.1 431")
            #expect(try await status(String(repeating: "A: a\r\n", count: 90)) == "HTTP/1.1 200")
            #expect(try await status(String(repeating: "A: a\r\n", count: 110)) == "HTTP/1.1 431")
            #expect(try await status("no header\r\n") == "HTTP/1.1 400")
        }
    }
}
