import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Refusals and their codes")
struct RefusalTests {
    private func withCaller(_ body: @escaping @Sendable (TestCaller) async throws -> Void) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), body)
    }

    @Test("An unknown path is not found", arguments: ["/", "/nope", "/v1/device", "/v2/login/begin", "/v1"])
    func notFound(path: String) async throws {
        try await withCaller { caller in
            let response = try await caller.call(.get, path)
            try response.expectProblem(.notFound, 404)
            #expect(response.headers[try #require(.init("X-Request-Id"))]?.isEmpty == false)
        }
    }

    @Test("A route accepts only its own method, also with a slash at the end of its path")
    func methods() async throws {
        try await withCaller { caller in
            for (method, path, allowed) in [
                (HTTPRequest.Method.get, Route.token.path, "POST"), (.delete, Route.devices.path, "GET, HEAD"),
                (.options, Route.transactions.path, "GET, HEAD, POST"), (.head, Route.token.path, "POST"),
            ] {
                let response = try await caller.call(method, path)
                if method != .head { try response.expectProblem(.methodNotAllowed, 405) }
                #expect(response.status == .methodNotAllowed && response.headers[.allow] == allowed)
            }
            try await caller.call(.get, Route.devices.path + "/").expectProblem(.accessTokenRefused, 401)
        }
    }

    /// A body that a route reads. The tests break one part of it at a time.
    struct Body: Sendable, CustomTestStringConvertible {
        let route: Route
        /// The members' names and JSON values.
        let members: [(name: String, json: String)]
        /// The members that may be missing.
        var optional: Set<String> = []

        var testDescription: String { route.path }

        /// Returns the body as it is, or with the member at an index in another form.
        func text(_ index: Int? = nil, _ change: (String, String) -> String = { _, _ in "" }) -> String {
            let parts = members.indices.map { position in
                let (name, json) = members[position]
                return position == index ? change(name, json) : "\"\(name)\":\(json)"
            }
            return "{" + parts.filter { !$0.isEmpty }.joined(separator: ",") + "}"
        }

        var broken: [String] {
            let good = text()
            let wholes = ["", "{", "[]", "null", "{}", "[\(good)]", good + " x", good + good, String(good.dropLast())]
            return wholes
                + members.indices.flatMap { index in
                    (optional.contains(members[index].name) ? [] : [text(index)])
                        + [
                            // The member twice, of another type, and with an invalid value.
                            text(index) { "\"\($0)\":\($1),\"\($0)\":\($1)" },
                            text(index) { name, _ in "\"\(name)\":7" },
                            text(index) { name, _ in "\"\(name)\":null" },
                            text(index) { name, json in "\"\(name)\":[\(json)]" },
                        ]
                        + (members[index].name == "message"
                            ? [] : [text(index) { name, _ in "\"\(name)\":\"not one!\\u0007\"" }])
                }
        }
    }

    static let bodies = [
        Body(
            route: .beginLogin,
            members: [("user", #""alice""#), ("device", #""0123456789abcdef0123456789abcdef""#)], optional: ["device"]),
        Body(
            route: .beginBinding,
            members: [
                ("enrolment_code", "\"\(EnrolmentCode.random().groupedText)\""),
                ("device_key", "\"\(KeyID.random().rawValue)\""),
            ]),
        Body(route: .finishBinding, members: [("handle", #""AAAA""#), ("message", #""a.b.c""#)]),
        Body(route: .enrolmentCodes, members: [("user", #""alice""#)]),
        Body(
            route: .createTransaction,
            members: [
                ("id", #""0123456789abcdef0123456789abcdef""#), ("user", #""alice""#), ("devices", #""all""#),
                (
                    "details",
                    #"{"amount":"1","currency":"EUR","payee":"x","lines":[],"expires_at":1800000600}"#
                ),
            ]),
        Body(route: .finishDecision, members: [("handle", #""AAAA""#), ("message", #""a.b.c""#)]),
    ]

    @Test(
        "A body that does not meet the route's format exactly is malformed, and a correct one is not",
        arguments: bodies)
    func malformedJSON(body: Body) async throws {
        try await withCaller { caller in
            func send(_ text: String) async throws -> TestResponse {
                try await caller.call(
                    .post, body.route.path,
                    headers: [
                        "Content-Type": "application/json", "Authorization": "Bearer " + caller.backendKey.rawValue,
                    ], body: text)
            }
            let good = try await send(body.text())
            #expect(!good.text.contains(ProblemCode.malformedRequest.rawValue), "\(good.text)")
            for text in body.broken { try await send(text).expectProblem(.malformedRequest, 400) }
        }
    }

    @Test(
        "The answer to a malformed body names the member and its rule",
        arguments: [
            (Route.enrolmentCodes, #"{"user":" alice"}"#, "user must be a string: 1 to 128 printable characters"),
            (.enrolmentCodes, "{}", "user is missing."), (.enrolmentCodes, "[]", "The message must be an object."),
            (.beginLogin, #"{"user":"alice","device":"x"}"#, "device must be a string: 32 hexadecimal digits"),
            (.createTransaction, #"{"id":"x"}"#, "id must be a string: 32 hexadecimal digits with small letters."),
        ])
    func detail(route: Route, body: String, detail: String) async throws {
        try await withCaller { caller in
            let response = try await caller.call(
                .post, route.path,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer " + caller.backendKey.rawValue],
                body: body)
            try response.expectProblem(.malformedRequest, 400)
            let problem = try StrictJSON.decode(Problem.self, from: Data(response.text.utf8))
            #expect(problem.detail?.hasPrefix(detail) == true, "\(response.text)")
            #expect(problem.isOfRelyingParty)
        }
    }

    @Test("The answer to a malformed query or form names the problem too")
    func detailOfFields() async throws {
        try await withCaller { caller in
            let query = try await caller.call(.get, "/v1/transactions?user=%20a", headers: caller.backendHeaders)
            #expect(query.text.contains(#""detail":"The query must name a user: 1 to 128 printable"#), "\(query.text)")
            let form = try await caller.call(
                .post, Route.token.path, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "a=1&a=2"
            )
            #expect(form.text.contains("unique ASCII names"), "\(form.text)")
        }
    }

    @Test(
        """
        A relying party with an https issuer sends Strict-Transport-Security with every answer, and another one does \
        not
        """,
        arguments: [true, false])
    func strictTransport(isSecure: Bool) async throws {
        let issuer = try #require(Issuer(rawValue: isSecure ? "https://login.example" : "http://localhost:8080"))
        try await TestRelyingParty.with(
            MemoryRelyingPartyStore(clock: TestTime.clock), configuration: RelyingPartyConfiguration(issuer: issuer)
        ) { caller in
            for path in [Route.liveness.path, Route.jwks.path, Route.devices.path, Route.token.path, "/nothing"] {
                let response = try await caller.call(.get, path)
                #expect(
                    response.headers[.strictTransportSecurity] == (isSecure ? "max-age=31536000" : nil), "\(path)")
            }
        }
    }

    @Test("Another content type is refused", arguments: [nil, "text/plain", "application/json, text/plain", ""])
    func contentType(type: String?) async throws {
        try await withCaller { caller in
            let body = String(
                decoding: StrictJSON.encode(LoginRequest(user: try Fixture.alice(), device: .random())), as: UTF8.self)
            let headers = type.map { ["Content-Type": $0] } ?? [:]
            try await caller.call(.post, Route.beginLogin.path, headers: headers, body: body)
                .expectProblem(.unsupportedMediaType, 415)
            let good = try await caller.call(
                .post, Route.beginLogin.path, headers: ["Content-Type": "Application/JSON; charset=utf-8"], body: body)
            #expect(good.status == .ok)
        }
    }

    @Test("A body of more than 64 KiB is too large, in process and over a socket", arguments: StoryTests.Way.allCases)
    func tooLarge(way: StoryTests.Way) async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), setup: way.setup) { caller in
            let body = String(repeating: " ", count: 64 * 1024 + 1)
            try await caller.call(
                .post, Route.beginLogin.path, headers: ["Content-Type": "application/json"], body: body
            ).expectProblem(.bodyTooLarge, 413)
        }
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock), setup: way.setup) { caller in
            let body = String(repeating: "x", count: 64 * 1024 + 1)
            try await caller.call(
                .post, Route.token.path, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: body
            ).expectOAuthError(.invalidRequest, .bodyTooLarge, 413)
        }
    }

    @Test(
        "Only the backend key gets enrolment codes",
        arguments: [
            nil, "", "Bearer", "Bearer wrong", "Basic the-backend-key", "the-backend-key", "Bearer the-backend-ke",
        ])
    func backendKey(authorization: String?) async throws {
        try await withCaller { caller in
            let headers = authorization.map { ["Authorization": $0] } ?? [:]
            let response = try await caller.post(
                EnrolmentCodeRequest(user: Fixture.alice()), to: .enrolmentCodes, headers: headers)
            try response.expectProblem(.backendKeyRefused, 401)
            #expect(response.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test("A form that is malformed, lacks a field or names another grant is refused with the standard's error")
    func forms() async throws {
        try await withCaller { caller in
            func send(_ body: String, type: String = "application/x-www-form-urlencoded") async throws -> TestResponse {
                try await caller.call(.post, Route.token.path, headers: ["Content-Type": type], body: body)
            }
            for body in [
                "", "x", "grant_type=refresh_token", "grant_type=refresh_token&refresh_token=",
                "grant_type=refresh_token&refresh_token=a&refresh_token=b", "grant_type=%zz", "refresh_token=a",
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=x",
            ] {
                try await send(body).expectOAuthError(.invalidRequest, .malformedRequest)
            }
            try await send("grant_type=password").expectOAuthError(.unsupportedGrantType, .malformedRequest)
            try await send("{}", type: "application/json").expectOAuthError(.invalidRequest, .unsupportedMediaType)
        }
    }

    @Test("A request without a token, a proof or both is refused with the missing part and the right form")
    func deviceRoutes() async throws {
        try await withCaller { caller in
            let (alice, bob, phone) = (try Fixture.alice(), try Fixture.bob(), TestDevice())
            let id = try await caller.bind(phone, to: alice)
            let token = try await caller.logIn(phone, id: id, user: alice).message(TokenGrant.self).accessToken
            let path = Route.devices.path
            func get(_ headers: [String: String]) async throws -> TestResponse {
                try await caller.call(.get, path, headers: headers)
            }
            try await get([:]).expectProblem(.accessTokenRefused, 401)
            try await get(["Authorization": "Bearer " + token.rawValue]).expectProblem(.accessTokenRefused, 401)
            try await get(["Authorization": "DPoP nonsense"]).expectProblem(.accessTokenRefused, 401)
            let without = try await get(["Authorization": "DPoP " + token.rawValue])
            try without.expectProblem(.dpopProofRefused, 401)
            #expect(without.headers[.wwwAuthenticate]?.contains(#"error="invalid_dpop_proof""#) == true)
            let thief = TestDevice()
            try await caller.devices(by: thief, token: token).expectProblem(.dpopProofRefused, 401)
            let otherRoute = try caller.proof(by: phone, for: .revokeDevice, token: token)
            try await get(["Authorization": "DPoP " + token.rawValue, "DPoP": otherRoute])
                .expectProblem(.dpopProofRefused, 401)

            try await caller.revoke(.random(), by: phone, token: token).expectProblem(.notFound, 404)
            let bobs = TestDevice()
            let bobsID = try await caller.bind(bobs, to: bob)
            try await caller.revoke(bobsID, by: phone, token: token).expectProblem(.notFound, 404)
            #expect(try await caller.logIn(bobs, id: bobsID, user: bob).status == .ok)
            try await TestTime.after(.seconds(300)) {
                try await caller.devices(by: phone, token: token).expectProblem(.accessTokenRefused, 401)
            }
        }
    }

    @Test("The Host header does not change the address that a proof must name")
    func hostHeader() async throws {
        try await withCaller { caller in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await caller.bind(phone, to: alice)
            let token = try await caller.logIn(phone, id: id, user: alice).message(TokenGrant.self).accessToken
            let proof = try phone.proofDraft(
                method: "GET", url: "http://localhost/v1/devices", token: token,
                nonce: caller.nonces.nonce(at: TestTime.current)
            ).text()
            try await caller.call(
                .get, Route.devices.path,
                headers: ["Authorization": "DPoP " + token.rawValue, "DPoP": proof, "Host": "localhost"]
            ).expectProblem(.dpopProofRefused, 401)
        }
    }

    @Test("An idle connection is closed")
    func idleConnection() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.idleConnectionLife = .milliseconds(100)
        try await TestRelyingParty.with(store, setup: .live, configuration: configuration) { caller in
            let connection = try RawConnection(port: try #require(caller.client.port))
            #expect(await connection.receive()?.isEmpty == true)
        }
    }

    @Test("The health routes report live and ready while the store works")
    func health() async throws {
        try await withCaller { caller in
            for route in [Route.liveness, .readiness] {
                let health = try await caller.call(.get, route.path).message(Health.self)
                #expect(health.status == .ok)
            }
        }
    }
}
