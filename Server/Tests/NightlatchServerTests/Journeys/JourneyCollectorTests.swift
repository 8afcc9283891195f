import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

/// The nodes that ask a client, as PingAM's clients expect them.
@Suite("Collectors of journeys")
struct JourneyCollectorTests {
    private let routes = JourneyRouteTests()

    /// Returns a file with these nodes in the journey `j`, which starts at `first`.
    static func file(_ nodes: String, start: String = "first") -> String {
        #"{"realm": "root", "readyMade": ["login"], "journeys": {"j": {"start": "\#(start)", "nodes": {\#(nodes)}}}}"#
    }

    /// A node that stops the journey with a question, so that a test sees that the journey has reached it.
    static func stop(_ name: String, _ prompt: String) -> String {
        #"""
        "\#(name)": {"type": "ChoiceCollectorNode", "prompt": "\#(prompt)", "choices": ["a", "b"],
            "outcomes": {"a": "failure", "b": "failure"}}
        """#
    }

    private static let ends = [stop("yes", "said yes"), stop("no", "said no")].joined(separator: ",")

    /// Returns whether the journey has stopped at the node with this prompt.
    static func isAt(_ prompt: String, _ answer: TestResponse) -> Bool {
        answer.status == .ok && answer.text.contains(#"{"name":"prompt","value":"\#(prompt)"}"#)
    }

    @Test(
        "The default choice is a name or an index; an unknown name means the first choice",
        arguments: [
            (#""defaultChoice": "second","#, 1), (#""defaultChoice": "first","#, 0), (#""defaultChoice": "third","#, 0),
            (#""defaultChoice": 1,"#, 1), ("", 0),
        ])
    func defaultChoice(setting: String, index: Int) async throws {
        let node = #"""
            "first": {"type": "ChoiceCollectorNode", "choices": ["first", "second"], \#(setting)
                "outcomes": {"first": "failure", "second": "failure"}}
            """#
        try await routes.withCaller(journeys: Self.file(node)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            #expect(asked.text.contains(#"{"name":"defaultChoice","value":\#(index)}"#), "\(asked.text)")
            #expect(asked.text.contains(#"[{"name":"IDToken1","value":\#(index)}]"#))
        }
    }

    @Test("A node with one choice does not ask, neither alone nor at the end of a page")
    func singleChoice() async throws {
        let single = #"{"type": "ChoiceCollectorNode", "choices": ["only"], "outcomes": {"only": "page"}}"#
        let inPage = #"{"type": "ChoiceCollectorNode", "choices": ["only"]}"#
        let nodes = #"""
            "first": \#(single),
            "page": {"type": "PageNode", "nodes": [{"type": "TextInputNode", "attribute": "a"}, \#(inPage)],
                "outcomes": {"only": "silent"}},
            "silent": {"type": "PageNode", "nodes": [\#(inPage)], "outcomes": {"only": "yes"}}, \#(Self.ends)
            """#
        try await routes.withCaller(journeys: Self.file(nodes)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            let json = try JourneyRouteTests.json(of: asked)
            #expect(json["callbacks"]?.array?.map { $0["type"]?.string } == ["TextInputCallback"])
            let told = try await JourneyRouteTests.answer(asked, [.string("text")], at: caller)
            #expect(Self.isAt("said yes", told), "\(told.text)")
        }
    }

    private static let message = #"""
        "first": {"type": "MessageNode", "message": {"en": "Proceed?", "de": "Weiter?"}, "messageYes": "Yes",
            "messageNo": {"en": "No", "de": "Nein"}, "stateField": "answer",
            "outcomes": {"true": "yes", "false": "decide"}},
        "decide": {"type": "StateDecisionNode", "attribute": "answer", "equals": "1",
            "outcomes": {"true": "one", "false": "no"}}, \#(stop("one", "said one")), \#(ends)
        """#

    @Test("A message is shown as a text and two buttons, in the client's language")
    func messageForm() async throws {
        try await routes.withCaller(journeys: Self.file(Self.message)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller, headers: ["Accept-Language": "de"])
            let expected =
                #""callbacks":[{"type":"TextOutputCallback","output":[{"name":"message","value":"Weiter?"},"#
                + #"{"name":"messageType","value":"0"}]},{"type":"ConfirmationCallback","output":["#
                + #"{"name":"prompt","value":""},{"name":"messageType","value":0},"#
                + #"{"name":"options","value":["Yes","Nein"]},{"name":"optionType","value":-1},"#
                + #"{"name":"defaultOption","value":1}],"input":[{"name":"IDToken2","value":100}]}]}"#
            #expect(asked.text.hasSuffix(expected), "\(asked.text)")
        }
    }

    @Test(
        "Only the first button is a yes; an untouched confirmation is a no, and the state holds the index",
        arguments: [
            (JSONValue.integer(0), "said yes"), (.string("0"), "said yes"), (.integer(1), "said one"),
            (.integer(100), "said no"), (.string("1"), "said one"), (.number("0.0"), "said no"), (.null, "said no"),
            (.bool(false), "said no"), (.integer(-1), "said no"),
        ] as [(JSONValue, String)])
    func messageAnswers(value: JSONValue, prompt: String) async throws {
        try await routes.withCaller(journeys: Self.file(Self.message)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            let json = try JourneyRouteTests.json(of: asked)
            let confirmation = JSONValue.object([
                .init("type", .string("ConfirmationCallback")),
                .init("input", .array([.object([.init("name", .string("IDToken2")), .init("value", value)])])),
            ])
            let display = JSONValue.object([
                .init("type", .string("TextOutputCallback")), .init("output", .array([])),
            ])
            // Some clients leave out the callback that only displays.
            for callbacks in [[display, confirmation], [confirmation]] {
                let body = JSONValue.object([
                    .init("authId", try #require(json["authId"])), .init("callbacks", .array(callbacks)),
                ])
                let told = try await caller.call(
                    .post, JourneyRouteTests.base, headers: ["Content-Type": "application/json"], body: body.json)
                #expect(Self.isAt(prompt, told), "\(told.text)")
            }
        }
    }

    @Test("A page with more than 16 callbacks is refused, because no client may answer them")
    func largePage() throws {
        func file(_ count: Int) -> String {
            let texts = (1...count).map { #"{"type": "TextInputNode", "attribute": "a\#($0)"}"# }
            let nodes = (texts + [#"{"type": "MessageNode"}"#]).joined(separator: ",")
            return Self.file(
                #"""
                "first": {"type": "PageNode", "nodes": [\#(nodes)], "outcomes": {"true": "failure", "false": "failure"}}
                """#)
        }
        _ = try JourneyConfiguration(Data(file(14).utf8))
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(file(15).utf8)) }
        #expect(error.place == "journeys.j.nodes.first.nodes")
        #expect(error.problem == .notA("a list of nodes with at most 16 callbacks"))
    }
}
