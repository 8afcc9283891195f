import Foundation
import HTTPTypes
import HummingbirdTesting
import JWTKit
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Decisions of the app's backend in a journey", .timeLimit(.minutes(1)))
struct BackendDecisionTests {
    private let routes = JourneyRouteTests()

    /// Returns a file with a journey that asks for a name and an amount, and then the backend at `url`.
    private static func file(url: String) -> String {
        JourneyCollectorTests.file(
            #"""
            "first": {"type": "PageNode", "nodes": [
                {"type": "UsernameCollectorNode"}, {"type": "TextInputNode", "attribute": "amount"}],
                "outcomes": {"outcome": "ask"}},
            "ask": {"type": "BackendDecisionNode", "url": "\#(url)", "timeout": 1, "attributes": ["amount"],
                "outcomes": {"allow": "yes", "deny": "no", "error": "broken"}},
            \#(JourneyCollectorTests.stop("yes", "allowed")), \#(JourneyCollectorTests.stop("no", "denied")),
            \#(JourneyCollectorTests.stop("broken", "no decision"))
            """#)
    }

    /// Walks the journey and returns what it tells at its end.
    private func walk(
        at caller: TestCaller,
        name: String = "alice",
        headers: [String: String] = [:]
    ) async throws -> TestResponse {
        try await JourneyRouteTests.answer(
            JourneyRouteTests.begin("j", at: caller, headers: headers), [.string(name), .string("100.00")],
            at: caller)
    }

    /// The claims of a question, as a backend in another language reads them.
    private struct Question: JWTPayload {
        let iss: String
        let aud: String
        let iat: Int
        let exp: Int
        let jti: String
        let realm: String
        let journey: String
        let node: String
        let outcomes: [String]
        let sub: String?
        let username: String?
        let attributes: [String: String]

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Checks a question with the published keys, as a backend does.
    private func read(_ request: ScriptedBackend.Request, at caller: TestCaller) async throws -> Question {
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: caller.call(.get, Route.jwks.path).text)
        let header = try #require(Base64URL.decode(request.body.prefix { $0 != "." }))
        let parsed = try StrictJSON.decode(JSONValue.self, from: header)
        #expect(parsed["typ"]?.string == "nightlatch-journey-decision+jwt" && parsed["alg"]?.string == "ES256")
        return try await keys.verify(request.body, as: Question.self)
    }

    @Test("The backend chooses the outcome", arguments: [("allow", "allowed"), ("deny", "denied")])
    func outcome(chosen: String, prompt: String) async throws {
        let backend = try ScriptedBackend(.answer(status: 200, body: #"{"outcome":"\#(chosen)","more":[1]}"#))
        try await routes.withCaller(journeys: Self.file(url: backend.url + "/decide")) { caller in
            let told = try await walk(at: caller)
            #expect(JourneyCollectorTests.isAt(prompt, told), "\(told.text)")
        }
        #expect(backend.requests.count == 1)
    }

    @Test("A question is a signed message that a backend checks with the published keys")
    func question() async throws {
        let backend = try ScriptedBackend(.answer(status: 200, body: #"{"outcome":"allow"}"#))
        let url = backend.url + "/decide"
        try await routes.withCaller(journeys: Self.file(url: url)) { caller in
            let token = try await JourneyRouteTests.logIn(at: caller)
            _ = try await walk(at: caller, headers: ["iPlanetDirectoryPro": token])
            _ = try await walk(at: caller, name: "someone")
            let (first, second) = (backend.requests[0], backend.requests[1])
            #expect(first.line == "POST /decide HTTP/1.1")
            #expect(first.headers["content-type"] == "application/jwt")
            let known = try await read(first, at: caller)
            #expect(known.iss == caller.issuer.rawValue && known.aud == url)
            #expect(known.iat == TestTime.current.secondsSince1970 && known.exp == known.iat + 60)
            #expect(known.realm == "/" && known.journey == "j" && known.node == "ask")
            #expect(known.outcomes == ["allow", "deny"])
            #expect(known.sub == "alice" && known.username == "alice")
            #expect(known.attributes == ["amount": "100.00"])
            let unknown = try await read(second, at: caller)
            #expect(unknown.sub == nil && unknown.username == "someone")
            #expect(unknown.jti != known.jti)
        }
    }

    @Test(
        "Anything but an outcome of the file is no decision",
        arguments: [
            .answer(status: 500, body: #"{"outcome":"allow"}"#), .answer(status: 201, body: #"{"outcome":"allow"}"#),
            .answer(status: 403, body: #"{"outcome":"allow"}"#), .answer(status: 200, body: #"{"outcome":"success"}"#),
            .answer(status: 200, body: #"{"outcome":"Allow"}"#), .answer(status: 200, body: #"{"outcome":true}"#),
            .answer(status: 200, body: #"{"outcome":"deny","outcome":"allow"}"#), .answer(status: 200, body: ""),
            .answer(status: 200, body: "allow"), .answer(status: 200, body: #"["allow"]"#),
            .answer(
                status: 200, body: #"{"outcome":"allow","more":"\#(String(repeating: "a", count: 4096))"}"#),
            .endless, .part(of: #"{"outcome":"allow"}"#), .silence, .hangUp,
        ] as [ScriptedBackend.Reply])
    func lies(reply: ScriptedBackend.Reply) async throws {
        let backend = try ScriptedBackend(reply)
        try await routes.withCaller(journeys: Self.file(url: backend.url)) { caller in
            let told = try await walk(at: caller)
            #expect(JourneyCollectorTests.isAt("no decision", told), "\(told.text)")
        }
        #expect(!backend.requests.isEmpty)
    }

    @Test("A redirect is not followed", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let other = try ScriptedBackend(.answer(status: 200, body: #"{"outcome":"allow"}"#))
        let location = "Location: " + other.url
        let backend = try ScriptedBackend(
            .answer(status: status, headers: [location], body: #"{"outcome":"allow"}"#))
        try await routes.withCaller(journeys: Self.file(url: backend.url)) { caller in
            let told = try await walk(at: caller)
            #expect(JourneyCollectorTests.isAt("no decision", told), "\(told.text)")
        }
        #expect(other.requests.isEmpty)
    }

    @Test(
        "A node that cannot work is refused when the file is read",
        arguments: [
            (
                #""url": "http://example.com", "outcomes": {"a": "success", "error": "failure"}"#, ".url",
                .notA("an https address without a query, or an http address of this machine")
            ),
            (
                #""url": "https://example.com/?a=b", "outcomes": {"a": "success", "error": "failure"}"#, ".url",
                .notA("an https address without a query, or an http address of this machine")
            ),
            (
                #""url": "https://user@example.com", "outcomes": {"a": "success", "error": "failure"}"#, ".url",
                .notA("an https address without a query, or an http address of this machine")
            ),
            (#""outcomes": {"a": "success", "error": "failure"}"#, "", .missing("url")),
            (#""url": "https://example.com", "outcomes": {"a": "success"}"#, "", .outcomeLeadsNowhere("error")),
            (
                #""url": "https://example.com", "outcomes": {"error": "failure"}"#, ".outcomes",
                .notA("an object with the outcomes that the backend may choose, and “error”")
            ),
            (
                #""url": "https://example.com", "timeout": 11, "outcomes": {"a": "success", "error": "failure"}"#,
                ".timeout", .notA("a whole number from 1 to 10")
            ),
            (
                #""url": "https://example.com", "attributes": ["x"], "outcomes": {"a": "success", "error": "failure"}"#,
                "", .attributeNeverWritten("x")
            ),
        ] as [(String, String, JourneyFileError.Problem)])
    func refused(settings: String, place: String, problem: JourneyFileError.Problem) throws {
        let file = JourneyCollectorTests.file(#""first": {"type": "BackendDecisionNode", \#(settings)}"#)
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(file.utf8)) }
        #expect(error.place == "journeys.j.nodes.first" + place)
        #expect(error.problem == problem)
    }

    @Test("A node with a script is refused, and the message names the nodes to use instead")
    func script() throws {
        let file = JourneyCollectorTests.file(
            #"""
            "first": {"type": "ScriptedDecisionNode", "script": "outcome = 'true'", "outcomes": {"true": "success"}}
            """#)
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(file.utf8)) }
        #expect(error.problem == .scriptsUnsupported && error.place == "journeys.j.nodes.first")
        for node in ["StateDecisionNode", "MessageNode", "BackendDecisionNode"] {
            #expect(error.description.contains(node))
        }
        #expect(!error.description.contains("\n"))
    }
}
