import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("Journey files")
struct JourneyFileTests {
    /// Returns a file with one journey of one node.
    private static func file(_ node: String) -> String {
        #"{"readyMade": [], "applicationIds": ["a"], "journeys": {"j": {"start": "n", "nodes": {"n": \#(node)}}}}"#
    }

    private static func bind(_ settings: String = "") -> String {
        file(
            #"""
            {"type": "DeviceBindingNode", \#(settings) "outcomes": {"success": "success", "failure": "failure",
            "Unsupported": "failure", "Abort": "failure", "Timeout": "failure"}}
            """#)
    }

    private static func sign(_ settings: String = "", outcomes: String = "") -> String {
        file(
            #"""
            {"type": "DeviceSigningVerifierNode", \#(settings) "outcomes": {"success": "success", "failure": "failure",
            "noDeviceRegistered": "failure", "keyNotFound": "failure" \#(outcomes)}}
            """#)
    }

    /// Returns a journey in which a text is typed and signed. With another `attribute`, the signed text is another one.
    private static func signText(attribute: String) -> String {
        sign(#""challenge": false, "sharedStateAttribute": "\#(attribute)", "clientErrorOutcomes": [],"#)
            .replacing(#""nodes": {"#, with: #""nodes": {\#(text("text")),"#)
    }

    /// Returns a journey with a decision after a text that is written into the attribute `name`.
    private static func decide(_ settings: String, writing name: String) -> String {
        file(#"{"type": "StateDecisionNode", \#(settings), "outcomes": {"true": "success", "false": "failure"}}"#)
            .replacing(#""nodes": {"#, with: #""nodes": {\#(text(name)),"#)
    }

    private static func text(_ attribute: String) -> String {
        #""text": {"type": "TextInputNode", "attribute": "\#(attribute)", "outcomes": {"outcome": "n"}}"#
    }

    private static let clientErrors =
        #","Unsupported": "failure", "Abort": "failure", "Timeout": "failure", "ClientNotRegistered": "failure""#

    @Test(
        "Valid files are accepted",
        arguments: [
            #"{"applicationIds": ["com.example.app"]}"#,
            #"{"readyMade": []}"#,
            #"{"readyMade": ["login"]}"#,
            bind(), bind(#""authenticationType": "APPLICATION_PIN", "attestation": false,"#),
            sign(outcomes: clientErrors), sign(#""clientErrorOutcomes": [],"#),
            signText(attribute: "text"), decide(#""attribute": "text", "equals": "a""#, writing: "text"),
            decide(#""attribute": "a", "equalsAttribute": "a""#, writing: "a"),
            file(
                #"{"type": "TextInputNode", "attribute": "a", "prompt": {"en": "b", "de": "c"}, "outcomes": {"outcome": "success"}}"#
            ),
        ])
    func accepted(text: String) throws {
        _ = try JourneyConfiguration(Data(text.utf8))
    }

    private static let inNode = "journeys.j.nodes.n"

    @Test(
        "An invalid file is refused as a whole, and the error names the position and the problem",
        arguments: [
            ("{", "", .notJSON(.malformed(offset: 1))),
            (#"{"realm": "a", "realm": "b"}"#, "", .notJSON(.duplicateMember("realm"))),
            (#"{"realms": "a"}"#, "", .unknownMember("realms")),
            (#"{"realm": "a/b"}"#, "realm", .notA("a name of letters, digits and . _ -")),
            (#"{"readyMade": ["logon"]}"#, "readyMade", .noReadyMadeJourney("logon")),
            ("{}", "readyMade.bind.nodes.bind", .noApplications),
            (#"{"readyMade": [], "sessionMinutes": 0}"#, "sessionMinutes", .notA("a whole number from 1 to 1440")),
            (#"{"readyMade": [], "defaultJourney": "x"}"#, "defaultJourney", .notA("the name of a journey")),
            (file(#"{"type": "ScriptNode", "outcomes": {}}"#), inNode, .unknownNodeType("ScriptNode")),
            (file(#"{"outcomes": {}}"#), inNode, .missing("type")),
            (file(#"{"type": "UsernameCollectorNode"}"#), inNode, .missing("outcomes")),
            (
                file(#"{"type": "UsernameCollectorNode", "outcomes": {}}"#), inNode,
                .outcomeLeadsNowhere("outcome")
            ),
            (
                file(#"{"type": "UsernameCollectorNode", "outcomes": {"outcome": "m"}}"#), inNode + ".outcomes.outcome",
                .noSuchNode("m")
            ),
            (
                file(
                    #"{"type": "DataStoreDecisionNode", "outcomes": {"true": "success", "false": "failure", "x": "n"}}"#
                ),
                inNode, .unknownOutcome("x")
            ),
            (
                file(#"{"type": "UsernameCollectorNode", "title": "a", "outcomes": {"outcome": "success"}}"#), inNode,
                .unknownMember("title")
            ),
            (
                file(#"{"type": "PageNode", "nodes": [{"type": "DataStoreDecisionNode"}], "outcomes": {}}"#),
                inNode + ".nodes.0", .notForPages("DataStoreDecisionNode")
            ),
            (
                file(#"{"type": "TextInputNode", "attribute": "DeviceSigningVerifierNode.CLAIMS.a", "outcomes": {}}"#),
                inNode + ".attribute", .notA("a name that is not reserved for a node")
            ),
            (
                file(#"{"type": "TextInputNode", "attribute": "DeviceBindingNode.CLAIMS.a", "outcomes": {}}"#),
                inNode + ".attribute", .notA("a name that is not reserved for a node")
            ),
            (signText(attribute: "txet"), inNode, .attributeNeverWritten("txet")),
            (
                decide(#""attribute": "text", "equalsAttribute": "b""#, writing: "text"), inNode,
                .attributeNeverWritten("b")
            ),
            (
                decide(#""attribute": "DeviceSigningVerifierNode.CLAIMS.a", "equals": "b""#, writing: "text"), inNode,
                .attributeNeverWritten("DeviceSigningVerifierNode.CLAIMS.a")
            ),
            (bind(#""attestation": true,"#), inNode + ".attestation", .attestationUnsupported),
            (bind(#""maxSavedDevices": 1,"#), inNode, .outcomeLeadsNowhere("exceedDeviceLimit")),
            (
                bind(#""clientErrorOutcomes": ["Abort", "success"],"#), inNode + ".clientErrorOutcomes",
                .serverOutcome("success")
            ),
            (
                bind(#""clientErrorOutcomes": ["exceedDeviceLimit"],"#), inNode + ".clientErrorOutcomes",
                .serverOutcome("exceedDeviceLimit")
            ),
            (bind(#""applicationIds": [],"#), inNode, .noApplications),
            (bind(#""timeout": "60","#), inNode + ".timeout", .notA("a whole number from 1 to 3600")),
            (sign(), inNode, .outcomeLeadsNowhere("Unsupported")),
            (sign(#""challenge": false,"#, outcomes: clientErrors), inNode, .noChallengeAttribute),
            (
                sign(#""clientErrorOutcomes": ["keyNotFound"],"#), inNode + ".clientErrorOutcomes",
                .serverOutcome("keyNotFound")
            ),
        ] as [(String, String, JourneyFileError.Problem)])
    func refused(text: String, place: String, problem: JourneyFileError.Problem) throws {
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(text.utf8)) }
        #expect(error.place == place)
        #expect(error.problem == problem)
        #expect(!error.description.contains("\n"))
    }

    @Test("The files in the documentation are valid")
    func documented() throws {
        let root = (1...5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("docs/journeys.md"), encoding: .utf8)
        let blocks = text.split(separator: "```json\n").dropFirst().map {
            $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.endIndex)
        }
        #expect(blocks.count == 3)
        for block in blocks { _ = try JourneyConfiguration(Data(block.utf8)) }
    }

    @Test("A file above the size limit is refused before it is parsed")
    func large() throws {
        let text = #"{"realm": ""# + String(repeating: "a", count: JourneyConfiguration.byteCountLimit) + #""}"#
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(text.utf8)) }
        #expect(error.problem == .notJSON(.tooLarge))
    }
}
