import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Requests that cost an anonymous client nothing and once cost the server up to half a second.
///
/// These tests check the answers; the times are measured elsewhere.
@Suite("Costly requests to journeys")
struct JourneyCostTests {
    private let routes = JourneyRouteTests()

    private func answer(
        to body: String,
        query: String = "",
        headers: [String: String] = [:]
    ) async throws -> TestResponse {
        let answers = Answers()
        try await routes.withCaller { caller in
            await answers.set(
                try await caller.call(
                    .post, JourneyRouteTests.base + query,
                    headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body: body))
        }
        return try #require(await answers.value)
    }

    private actor Answers {
        private(set) var value: TestResponse?

        func set(_ value: TestResponse) { self.value = value }
    }

    /// Returns a text followed by as many combining marks as fit, in an order that normalising must reverse.
    private static func marked(_ text: String, byteCount: Int) -> String {
        text + String(repeating: "\u{323}\u{302}", count: (byteCount - text.utf8.count) / 4)
    }

    @Test("A body of nested arrays and objects starts a journey, like any body without an authId")
    func nested() async throws {
        let body = #"{"a":[[[[["# + [String](repeating: "{}", count: 21_000).joined(separator: ",") + "]]]]]}"
        let answer = try await answer(to: body)
        #expect(answer.status == .ok)
        #expect(answer.text.contains("NameCallback"))
    }

    @Test("A body is read with up to 1 KiB of names that are not ASCII, and refused with more")
    func names() async throws {
        for (byteCount, status) in [(40, 200), (3000, 400)] {
            let members = (0..<20).map { "\"" + Self.marked("a\($0)", byteCount: byteCount) + "\":0" }
            #expect(try await answer(to: "{" + members.joined(separator: ",") + "}").status.code == status)
        }
    }

    @Test("An authId of flag emoji is refused like any other that the server did not make")
    func flags() async throws {
        let header = Base64URL.encode(Data(#"{"typ":"JWT","alg":"HS256"}"#.utf8))
        let flags = String(repeating: "\u{1F1E6}", count: 12_000)
        let answer = try await answer(to: #"{"authId":"\#(header).\#(flags)","callbacks":[]}"#)
        #expect(answer.status == .unauthorized)
        #expect(answer.text.contains("Login failure"))
    }

    @Test(
        "A request has at most 16 callbacks with at most 16 inputs each, and their names are short and ASCII",
        arguments: [
            ("NameCallback", ["IDToken1"], 1, true), ("NameCallback", (0..<16).map { "n\($0)" }, 16, true),
            ("NameCallback", ["n"], 17, false), ("NameCallback", (0..<17).map { "n\($0)" }, 1, false),
            ("NameCallback", [String(repeating: "n", count: 128)], 1, true),
            ("NameCallback", [String(repeating: "n", count: 129)], 1, false),
            ("NämeCallback", ["n"], 1, false), ("NameCallback", ["IDToken\u{301}"], 1, false),
        ])
    func callbacks(type: String, names: [String], count: Int, isRead: Bool) async throws {
        let inputs = names.map { JSONValue.object([.init("name", .string($0)), .init("value", .string("v"))]) }
        let callbacks = (0..<count).map { index in
            JSONValue.object([.init("type", .string(type + "\(index)")), .init("input", .array(inputs))])
        }
        let body = JSONValue.object([.init("authId", .string("none")), .init("callbacks", .array(callbacks))])
        #expect(try await answer(to: body.json).status == (isRead ? .unauthorized : .badRequest))
    }

    @Test(
        """
        A journey's name with long rows of combining marks is malformed, and a file with a name that is too long is \
        refused
        """)
    func journeyName() async throws {
        let name = Self.marked("login", byteCount: 9000)
        let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let answer = try await answer(to: "{}", query: "?authIndexType=service&authIndexValue=" + encoded)
        #expect(answer.status == .badRequest)
        let journey =
            #"{"start":"a","nodes":{"a":{"type":"ChoiceCollectorNode","choices":["b"],"outcomes":{"b":"failure"}}}}"#
        for (length, isRead) in [(256, true), (257, false)] {
            let file = #"{"readyMade":[],"journeys":{"\#(String(repeating: "j", count: length))":\#(journey)}}"#
            #expect(((try? JourneyConfiguration(Data(file.utf8))) != nil) == isRead)
        }
    }

    @Test("Of Accept-Language only ASCII is read")
    func languages() async throws {
        let answer = try await answer(
            to: "{}", query: "?authIndexValue=choose",
            headers: ["Accept-Language": Self.marked("x", byteCount: 900) + ", de"])
        #expect(answer.text.contains("Welche?"))
    }

    @Test("A form with a name that is not ASCII, or with more than 128 fields, is refused")
    func forms() {
        let fields = { (count: Int) in Data((0..<count).map { "f\($0)=" }.joined(separator: "&").utf8) }
        #expect(FormFields(fields(128))?.fields.count == 128)
        #expect(FormFields(fields(129)) == nil)
        #expect(FormFields(Data("na%C3%AFve=1".utf8)) == nil)
        #expect(FormFields(Data("naïve=1".utf8)) == nil)
        #expect(FormFields(Data("name=na%C3%AFve".utf8))?.fields == ["name": "naïve"])
    }
}
