import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

/// The nodes of PingAM's trees for registration.
@Suite("Registration by a journey")
struct JourneyRegistrationTests {
    private let routes = JourneyRouteTests()

    private static let page = #"""
        {"type": "PageNode", "stage": "Registration", "nodes": [
            {"type": "ValidatedUsernameNode", "validateInput": true},
            {"type": "AttributeCollectorNode", "required": true, "validateInputs": true, "attributesToCollect": [
                "givenName", "mail", {"name": "age", "type": "number", "prompt": "Age", "minimum": 18, "maximum": 120},
                "preferences/updates"]},
            {"type": "ValidatedPasswordNode", "validateInput": true, "maxLength": 20},
            {"type": "AcceptTermsAndConditionsNode", "version": "1.2", "terms": {"en": "Be kind.", "de": "Sei nett."},
                "createDate": "2026-01-01T00:00:00Z"}],
            "outcomes": {"outcome": "create"}}
        """#

    private static let registration = JourneyCollectorTests.file(
        #"""
        "first": \#(page),
        "create": {"type": "CreateObjectNode", "outcomes": {"CREATED": "age", "FAILURE": "taken"}},
        "age": {"type": "StateDecisionNode", "attribute": "age", "equals": "30",
            "outcomes": {"true": "terms", "false": "failure"}},
        "terms": {"type": "StateDecisionNode", "attribute": "termsAccepted", "equals": "1.2",
            "outcomes": {"true": "success", "false": "failure"}},
        \#(JourneyCollectorTests.stop("taken", "name taken"))
        """#)

    private static let entries: [JSONValue] = [
        .string("carol"), .string("Carol"), .string("carol@example.com"), .number("30.0"), .bool(true),
        .string("correct horse"),
    ]

    /// Returns the values of all inputs of the page. An entry of `changes` replaces the value at its position.
    private static func inputs(
        _ changes: [Int: JSONValue] = [:],
        onlyValidating: Int? = nil,
        agrees: JSONValue = .bool(true)
    ) -> [JSONValue] {
        entries.enumerated().map { index, value in
            .array([changes[index] ?? value, .bool(index == onlyValidating)])
        } + [agrees]
    }

    private func logIn(_ user: String, _ password: String, at caller: TestCaller) async throws -> TestResponse {
        try await JourneyRouteTests.answer(
            JourneyRouteTests.begin("login", at: caller), [.string(user), .string(password)], at: caller)
    }

    @Test("The callbacks have PingAM's form, with policies as objects and failed policies as a list")
    func form() async throws {
        try await routes.withCaller(journeys: Self.registration) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller, headers: ["Accept-Language": "de"])
            for part in [
                #"{"type":"ValidatedCreateUsernameCallback","output":[{"name":"policies","value":{"policyRequirements":["REQUIRED","VALID_TYPE","VALID_USERNAME"],"fallbackPolicies":null,"name":"userName","policies":[{"policyRequirements":["REQUIRED"],"policyId":"required"},{"policyRequirements":["VALID_TYPE"],"policyId":"valid-type","params":{"types":["string"]}},{"policyRequirements":["VALID_USERNAME"],"policyId":"valid-username"}],"conditionalPolicies":null}},{"name":"failedPolicies","value":[]},{"name":"validateOnly","value":false},{"name":"prompt","value":"Username"}],"input":[{"name":"IDToken1","value":""},{"name":"IDToken1validateOnly","value":false}]}"#,
                #"{"type":"StringAttributeInputCallback","output":[{"name":"name","value":"givenName"},{"name":"prompt","value":"First Name"},{"name":"required","value":true},{"name":"policies","value":{"#,
                #"{"name":"failedPolicies","value":[]},{"name":"validateOnly","value":false},{"name":"value","value":""}],"input":[{"name":"IDToken2","value":""},{"name":"IDToken2validateOnly","value":false}]}"#,
                #"{"type":"NumberAttributeInputCallback","output":[{"name":"name","value":"age"},{"name":"prompt","value":"Age"}"#,
                #"{"name":"value","value":0}],"input":[{"name":"IDToken4","value":0},{"name":"IDToken4validateOnly","value":false}]}"#,
                #"{"type":"BooleanAttributeInputCallback","output":[{"name":"name","value":"preferences/updates"},{"name":"prompt","value":"Send me news and updates"}"#,
                #"{"type":"ValidatedCreatePasswordCallback","output":[{"name":"echoOn","value":false},{"name":"policies","value":{"policyRequirements":["REQUIRED","VALID_TYPE","MIN_LENGTH","MAX_LENGTH"]"#,
                #"{"policyRequirements":["MIN_LENGTH"],"policyId":"minimum-length","params":{"minLength":8}}"#,
                #"{"type":"TermsAndConditionsCallback","output":[{"name":"version","value":"1.2"},{"name":"terms","value":"Sei nett."},{"name":"createDate","value":"2026-01-01T00:00:00Z"}],"input":[{"name":"IDToken7","value":false}]}"#,
            ] {
                #expect(asked.text.contains(part), "\(part) in \(asked.text)")
            }
        }
    }

    @Test("A new user gets a session and a password, with the values that clients of each kind send")
    func registers() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store, journeys: Self.registration) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            let done = try await JourneyRouteTests.answer(asked, Self.inputs(), at: caller)
            #expect(done.status == .ok && done.text.contains("tokenId"), "\(done.text)")
            #expect(try await logIn("carol", "correct horse", at: caller).status == .ok)
            #expect(try await logIn("carol", "another", at: caller).status == .unauthorized)
            // Numbers and Boolean values as strings.
            let texts = Self.inputs(
                [0: .string("dave"), 3: .string("30"), 4: .string("false")], agrees: .string("true"))
            let second = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("j", at: caller), texts, at: caller)
            #expect(second.text.contains("tokenId"), "\(second.text)")
            let again = try await JourneyRouteTests.answer(asked, Self.inputs([0: .string("eve")]), at: caller)
            #expect(again.status == .unauthorized)
        }
        #expect(try await store.user(try #require(UserID(rawValue: "eve"))) == nil)
    }

    @Test("A new user gets a profile of the collected attributes, whose email address is not verified")
    func profile() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store, journeys: Self.registration) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            #expect(try await JourneyRouteTests.answer(asked, Self.inputs(), at: caller).status == .ok)
        }
        let carol = try #require(UserID(rawValue: "carol"))
        var profile = UserProfile()
        profile.name = PersonName(rawValue: "Carol")
        profile.givenName = PersonName(rawValue: "Carol")
        profile.email = .init(try #require(EmailAddress(rawValue: "carol@example.com")), isVerified: false)
        let stored = StoredProfile(profile: profile, revision: 1, updatedAt: TestTime.current)
        #expect(try await store.profile(of: carol) == stored)
        let events = try await store.auditEntries(of: carol, before: nil, limit: 9).map(\.event)
        let changes = events.filter { $0.kind == .userProfileChanged }
        #expect(changes.map(\.members) == [[.email, .isEmailVerified, .givenName, .name]])
        #expect(changes.map(\.actor) == [.user])
    }

    @Test(
        "Entries that were not validated are in the profile only if they fit, and no entry means no profile",
        arguments: [
            (["Zoë", "Ó", "z@example.com", "+43 1 234"], ["Zoë Ó", "Zoë", "Ó", "z@example.com", "+43 1 234"]),
            (["", "Ó Example", "z@localhost", "call me"], ["Ó Example", nil, "Ó Example", nil, nil]),
            (["a\u{0}", String(repeating: "b", count: 141), "", "112"], [nil, nil, nil, nil, "112"]),
            (["", "", "z", ""], nil),
        ] as [([String], [String?]?)])
    func unvalidated(entries: [String], expected: [String?]?) async throws {
        let nodes = #"""
            "first": {"type": "PageNode", "nodes": [{"type": "ValidatedUsernameNode"},
                {"type": "AttributeCollectorNode",
                    "attributesToCollect": ["givenName", "sn", "mail", "telephoneNumber"]},
                {"type": "ValidatedPasswordNode"}], "outcomes": {"outcome": "create"}},
            "create": {"type": "CreateObjectNode", "outcomes": {"CREATED": "success", "FAILURE": "failure"}}
            """#
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store, journeys: JourneyCollectorTests.file(nodes)) { caller in
            let inputs = entries.map { JSONValue.array([.string($0), .bool(false)]) }
            let done = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("j", at: caller), [.string("carol")] + inputs + [.string("correct horse")],
                at: caller)
            #expect(done.text.contains("tokenId"), "\(done.text)")
        }
        let profile = try await store.profile(of: try #require(UserID(rawValue: "carol")))?.profile
        #expect(profile?.email?.isVerified != true)
        let texts = profile.map {
            [
                $0.name?.rawValue, $0.givenName?.rawValue, $0.familyName?.rawValue, $0.email?.address.rawValue,
                $0.phoneNumber?.rawValue,
            ]
        }
        #expect(texts == expected)
    }

    @Test("A user who exists keeps the password, and the journey gives no session")
    func taken() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await routes.withCaller(store, journeys: Self.registration) { caller in
            let token = try await JourneyRouteTests.logIn(at: caller)
            for headers in [[:], ["iPlanetDirectoryPro": token]] {
                let told = try await JourneyRouteTests.answer(
                    JourneyRouteTests.begin("j", at: caller, headers: headers),
                    Self.inputs([0: .string("alice"), 5: .string("a new password")]), at: caller)
                #expect(JourneyCollectorTests.isAt("name taken", told), "\(told.text)")
            }
            #expect(try await logIn("alice", "a new password", at: caller).status == .unauthorized)
            #expect(try await logIn("alice", "correct horse", at: caller).status == .ok)
        }
    }

    @Test("Of two clients that register the same name at the same time, one gets the user")
    func race() async throws {
        try await routes.withCaller(journeys: Self.registration) { caller in
            let passwords = ["first password", "second password"]
            let answers = try await withThrowingTaskGroup(of: (String, String).self) { group in
                for password in passwords {
                    let asked = try await JourneyRouteTests.begin("j", at: caller)
                    group.addTask {
                        let answer = try await JourneyRouteTests.answer(
                            asked, Self.inputs([5: .string(password)]), at: caller)
                        return (password, answer.text)
                    }
                }
                return try await group.reduce(into: [String: String]()) { $0[$1.0] = $1.1 }
            }
            let winners = answers.filter { $0.value.contains("tokenId") }
            #expect(winners.count == 1, "\(answers)")
            for password in passwords {
                let status = try await logIn("carol", password, at: caller).status
                #expect(status == (winners[password] == nil ? .unauthorized : .ok))
            }
        }
    }

    @Test(
        "An entry that breaks a policy is asked again, with the failed policy as JSON in a string",
        arguments: [
            (0, .string(""), #"{\"policyRequirement\":\"REQUIRED\"}"#),
            (0, .string(" carol"), #"{\"policyRequirement\":\"VALID_USERNAME\"}"#),
            (0, .integer(5), #"{\"params\":{\"types\":[\"string\"]},\"policyRequirement\":\"VALID_TYPE\"}"#),
            (1, .string(""), #"{\"policyRequirement\":\"REQUIRED\"}"#),
            (1, .null, #"{\"policyRequirement\":\"REQUIRED\"}"#),
            (2, .string("carol"), #"{\"policyRequirement\":\"VALID_EMAIL_ADDRESS_FORMAT\"}"#),
            (2, .string("carol@example"), #"{\"policyRequirement\":\"VALID_EMAIL_ADDRESS_FORMAT\"}"#),
            (2, .string("c rol@example.com"), #"{\"policyRequirement\":\"VALID_EMAIL_ADDRESS_FORMAT\"}"#),
            (3, .integer(17), #"{\"params\":{\"minimum\":18},\"policyRequirement\":\"MINIMUM_NUMBER_VALUE\"}"#),
            (3, .string("1e9"), #"{\"params\":{\"maximum\":120},\"policyRequirement\":\"MAXIMUM_NUMBER_VALUE\"}"#),
            (3, .string("0x20"), #"{\"params\":{\"types\":[\"number\"]},\"policyRequirement\":\"VALID_TYPE\"}"#),
            (3, .string("nan"), #"{\"params\":{\"types\":[\"number\"]},\"policyRequirement\":\"VALID_TYPE\"}"#),
            (4, .string("yes"), #"{\"params\":{\"types\":[\"boolean\"]},\"policyRequirement\":\"VALID_TYPE\"}"#),
            (5, .string("short"), #"{\"params\":{\"minLength\":8},\"policyRequirement\":\"MIN_LENGTH\"}"#),
            (
                5, .string(String(repeating: "a", count: 21)),
                #"{\"params\":{\"maxLength\":20},\"policyRequirement\":\"MAX_LENGTH\"}"#
            ),
            (
                5, .string("correct\u{7}horse"),
                #"{\"params\":{\"types\":[\"string\"]},\"policyRequirement\":\"VALID_TYPE\"}"#
            ),
        ] as [(Int, JSONValue, String)])
    func policies(position: Int, value: JSONValue, failure: String) async throws {
        try await routes.withCaller(journeys: Self.registration) { caller in
            let again = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("j", at: caller), Self.inputs([position: value]), at: caller)
            #expect(again.status == .ok)
            #expect(again.text.contains(#"{"name":"failedPolicies","value":["\#(failure)"]}"#), "\(again.text)")
            let json = try JourneyRouteTests.json(of: again)
            #expect(json["callbacks"]?.array?.count == 7 && json["stage"]?.string == "Registration")
            #expect(!again.text.contains("correct horse"))
            let done = try await JourneyRouteTests.answer(again, Self.inputs(), at: caller)
            #expect(done.text.contains("tokenId"), "\(done.text)")
        }
    }

    @Test("An entry that the client only wants to be checked is asked again", arguments: 0...5)
    func validateOnly(position: Int) async throws {
        try await routes.withCaller(journeys: Self.registration) { caller in
            let again = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("j", at: caller), Self.inputs(onlyValidating: position), at: caller)
            #expect(again.text.components(separatedBy: #"{"name":"failedPolicies","value":[]}"#).count == 7)
            let done = try await JourneyRouteTests.answer(again, Self.inputs(), at: caller)
            #expect(done.text.contains("tokenId"), "\(done.text)")
        }
    }

    @Test(
        "Terms are asked again until the client accepts them", arguments: [JSONValue.bool(false), .string("no"), .null])
    func termsRefused(value: JSONValue) async throws {
        try await routes.withCaller(journeys: Self.registration) { caller in
            let again = try await JourneyRouteTests.answer(
                JourneyRouteTests.begin("j", at: caller), Self.inputs(agrees: value), at: caller)
            #expect(again.text.contains("TermsAndConditionsCallback"))
            // The accepted entries are filled in already, but not the password.
            #expect(again.text.contains(#"{"name":"IDToken3","value":"carol@example.com"}"#), "\(again.text)")
            #expect(again.text.contains(#"{"name":"IDToken6","value":""}"#))
        }
    }

    @Test("Consent is asked again until the client consents to all that is required; the rest is optional")
    func consent() async throws {
        let nodes = #"""
            "first": {"type": "ConsentNode", "message": "Share?", "mappings": [
                {"name": "shop", "displayName": "The shop", "isRequired": true, "fields": ["mail"]}, {"name": "news"}],
                "outcomes": {"outcome": "decide"}},
            "decide": {"type": "StateDecisionNode", "attribute": "consentedMappings/news", "equals": "true",
                "outcomes": {"true": "yes", "false": "no"}},
            \#(JourneyCollectorTests.stop("yes", "news too")), \#(JourneyCollectorTests.stop("no", "no news"))
            """#
        try await routes.withCaller(journeys: JourneyCollectorTests.file(nodes)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            let expected =
                #"{"type":"ConsentMappingCallback","output":[{"name":"name","value":"shop"},"#
                + #"{"name":"displayName","value":"The shop"},{"name":"icon","value":""},"#
                + #"{"name":"accessLevel","value":""},{"name":"isRequired","value":true},"#
                + #"{"name":"message","value":"Share?"},{"name":"fields","value":["mail"]}],"#
                + #""input":[{"name":"IDToken1","value":false}]}"#
            #expect(asked.text.contains(expected), "\(asked.text)")
            let again = try await JourneyRouteTests.answer(asked, [.bool(false), .bool(true)], at: caller)
            #expect(again.text.contains(expected))
            for (news, prompt) in [(true, "news too"), (false, "no news")] {
                let told = try await JourneyRouteTests.answer(asked, [.bool(true), .bool(news)], at: caller)
                #expect(JourneyCollectorTests.isAt(prompt, told), "\(told.text)")
            }
        }
    }

    @Test(
        "Optional attributes may stay empty, and a number is stored in one form",
        arguments: [
            (.integer(30), "thirty"), (.number("30.0"), "thirty"), (.string("3e1"), "thirty"), (.null, "other"),
            (.string(""), "other"), (.number("30.5"), "other"),
        ] as [(JSONValue, String)])
    func optional(age: JSONValue, prompt: String) async throws {
        let nodes = #"""
            "first": {"type": "AttributeCollectorNode",
                "attributesToCollect": ["givenName", {"name": "age", "type": "number"}],
                "outcomes": {"outcome": "decide"}},
            "decide": {"type": "StateDecisionNode", "attribute": "age", "equals": "30",
                "outcomes": {"true": "yes", "false": "no"}},
            \#(JourneyCollectorTests.stop("yes", "thirty")), \#(JourneyCollectorTests.stop("no", "other"))
            """#
        try await routes.withCaller(journeys: JourneyCollectorTests.file(nodes)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            #expect(asked.text.contains(#"{"name":"policies","value":{}}"#), "\(asked.text)")
            let told = try await JourneyRouteTests.answer(asked, [.string(""), age], at: caller)
            #expect(JourneyCollectorTests.isAt(prompt, told), "\(told.text)")
        }
    }

    @Test("A password of an earlier page creates no user, and an entry of more than 2,048 bytes ends the journey")
    func limits() async throws {
        let nodes = #"""
            "first": {"type": "PageNode", "nodes": [
                {"type": "ValidatedUsernameNode"}, {"type": "ValidatedPasswordNode"}],
                "outcomes": {"outcome": "more"}},
            "more": {"type": "AttributeCollectorNode", "attributesToCollect": ["sn"],
                "outcomes": {"outcome": "create"}},
            "create": {"type": "CreateObjectNode", "outcomes": {"CREATED": "success", "FAILURE": "no"}},
            \#(JourneyCollectorTests.stop("no", "not created"))
            """#
        try await routes.withCaller(journeys: JourneyCollectorTests.file(nodes)) { caller in
            let asked = try await JourneyRouteTests.begin("j", at: caller)
            #expect(asked.text.contains("NameCallback") && asked.text.contains("PasswordCallback"))
            let more = try await JourneyRouteTests.answer(
                asked, [.string("carol"), .string("correct horse")], at: caller)
            let told = try await JourneyRouteTests.answer(more, [.array([.string("C"), .bool(false)])], at: caller)
            #expect(JourneyCollectorTests.isAt("not created", told), "\(told.text)")
            let long = JSONValue.string(String(repeating: "a", count: 2049))
            #expect(try await JourneyRouteTests.answer(more, [long], at: caller).status == .unauthorized)
        }
    }

    @Test(
        "Settings of registration nodes that cannot work are refused",
        arguments: [
            (
                #""AttributeCollectorNode", "attributesToCollect": []"#, ".attributesToCollect",
                .notA("a list of 1 to 16 attributes")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": ["a", "a"]"#, ".attributesToCollect",
                .notA("a list of different attributes")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": ["DeviceBindingNode.CLAIMS.a"]"#,
                ".attributesToCollect.0.name", .notA("a name that is not reserved for a node")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": [{"name": "a", "type": "date"}]"#,
                ".attributesToCollect.0.type", .notA("“string”, “number” or “boolean”")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": [{"name": "a", "minimum": 1}]"#,
                ".attributesToCollect.0", .unknownMember("minimum")
            ),
            (
                #""AttributeCollectorNode", "validateInputs": true, "#
                    + #""attributesToCollect": [{"name": "a", "type": "number", "minimum": "1"}]"#,
                ".attributesToCollect.0.minimum", .notA("a whole number")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": [{"name": "a", "minLength": 8}]"#,
                ".attributesToCollect.0", .unknownMember("minLength")
            ),
            (#""ValidatedPasswordNode", "minLength": 8"#, "", .unknownMember("minLength")),
            (
                #""ValidatedPasswordNode", "validateInput": true, "minLength": 8, "maxLength": 7"#, ".maxLength",
                .notA("a whole number from 8 to 2048")
            ),
            (
                #""AttributeCollectorNode", "validateInputs": true, "#
                    + #""attributesToCollect": [{"name": "a", "type": "number", "minimum": 2, "maximum": 1}]"#,
                ".attributesToCollect.0.maximum", .notA("a number of at least “minimum”")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": ["termsAccepted"]"#,
                ".attributesToCollect.0.name", .notA("a name that is not reserved for a node")
            ),
            (
                #""AttributeCollectorNode", "attributesToCollect": ["consentedMappings/x"]"#,
                ".attributesToCollect.0.name", .notA("a name that is not reserved for a node")
            ),
            (#""AcceptTermsAndConditionsNode", "version": "1""#, "", .missing("terms")),
            (#""AcceptTermsAndConditionsNode", "terms": "t""#, "", .missing("version")),
            (#""ConsentNode", "mappings": []"#, ".mappings", .notA("a list of 1 to 16 mappings")),
            (
                #""ConsentNode", "mappings": [{"name": "a"}, {"name": "a"}]"#, ".mappings",
                .notA("a list of different mappings")
            ),
        ] as [(String, String, JourneyFileError.Problem)])
    func refused(node: String, place: String, problem: JourneyFileError.Problem) throws {
        let file = JourneyCollectorTests.file(#""first": {"type": \#(node), "outcomes": {"outcome": "success"}}"#)
        let error = try #require(throws: JourneyFileError.self) { try JourneyConfiguration(Data(file.utf8)) }
        #expect(error.place == "journeys.j.nodes.first" + place)
        #expect(error.problem == problem)
    }
}
