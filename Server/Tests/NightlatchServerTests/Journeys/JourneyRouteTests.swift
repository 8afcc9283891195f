import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Journeys over HTTP")
struct JourneyRouteTests {
    static let choose = #"""
        {"realm": "root", "readyMade": ["login", "usernameless-sign"], "applicationIds": ["com.example.app"],
        "journeys": {
            "choose": {"start": "which", "nodes": {
                "which": {"type": "ChoiceCollectorNode", "prompt": {"en": "Which?", "de": "Welche?", "de-CH": "Weli?"},
                    "choices": ["again", "name"], "defaultChoice": 1, "outcomes": {"again": "which", "name": "success"}}}},
            "bind-now": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "success", "failure": "failure"}}}},
            "bind-twice": {"start": "later", "nodes": {
                "later": {"type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "clientErrorOutcomes": [],
                    "outcomes": {"success": "now", "failure": "failure"}},
                "now": {"type": "DeviceBindingNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "store", "failure": "failure"}},
                "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "success", "false": "tell"}},
                "tell": {"type": "ChoiceCollectorNode", "prompt": "not stored", "choices": ["end", "stop"],
                    "outcomes": {"end": "success", "stop": "success"}}}},
            "pay": {"start": "text", "nodes": {
                "text": {"type": "TextInputNode", "attribute": "t", "outcomes": {"outcome": "sign"}},
                "sign": {"type": "DeviceSigningVerifierNode", "challenge": false, "sharedStateAttribute": "t",
                    "clientErrorOutcomes": [], "outcomes": {"success": "success", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}}}},
            "sign-bind": {"start": "sign", "nodes": {
                "sign": {"type": "DeviceSigningVerifierNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "bind", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}},
                "bind": {"type": "DeviceBindingNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "success", "failure": "failure"}}}},
            "pay-once": {"start": "text", "alwaysWalked": false, "nodes": {
                "text": {"type": "TextInputNode", "attribute": "t", "outcomes": {"outcome": "sign"}},
                "sign": {"type": "DeviceSigningVerifierNode", "challenge": false, "sharedStateAttribute": "t",
                    "clientErrorOutcomes": [], "outcomes": {"success": "success", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}}}},
            "sign-pay": {"start": "who", "nodes": {
                "who": {"type": "DeviceSigningVerifierNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "text", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}},
                "text": {"type": "TextInputNode", "attribute": "t", "outcomes": {"outcome": "sign"}},
                "sign": {"type": "DeviceSigningVerifierNode", "challenge": false, "sharedStateAttribute": "t",
                    "clientErrorOutcomes": [], "outcomes": {"success": "success", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}}}},
            "sign-number": {"start": "sign", "nodes": {
                "sign": {"type": "DeviceSigningVerifierNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "amount", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}},
                "amount": {"type": "StateDecisionNode",
                    "attribute": "DeviceSigningVerifierNode.JSON_CLAIMS.amount", "equals": "100.00",
                    "outcomes": {"true": "success", "false": "failure"}}}},
            "sign-biometric": {"start": "sign", "nodes": {
                "sign": {"type": "DeviceSigningVerifierNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "how", "failure": "failure",
                    "noDeviceRegistered": "failure", "keyNotFound": "failure"}},
                "how": {"type": "StateDecisionNode",
                    "attribute": "DeviceSigningVerifierNode.AUTHENTICATION_TYPE", "equals": "BIOMETRIC_ONLY",
                    "outcomes": {"true": "success", "false": "failure"}}}},
            "bind-claims": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "authenticationType": "BIOMETRIC_ONLY",
                    "clientErrorOutcomes": [], "outcomes": {"success": "model", "failure": "failure"}},
                "model": {"type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.model", "equals": "X",
                    "outcomes": {"true": "platform", "false": "failure"}},
                "platform": {"type": "StateDecisionNode", "attribute": "DeviceBindingNode.CLAIMS.platform",
                    "equals": "ios", "outcomes": {"true": "version", "false": "failure"}},
                "version": {"type": "StateDecisionNode",
                    "attribute": "DeviceBindingNode.JSON_CLAIMS.android-version", "equals": "35",
                    "outcomes": {"true": "success", "false": "failure"}}}},
            "bind-one": {"start": "later", "nodes": {
                "later": {"type": "DeviceBindingNode", "postponeDeviceProfileStorage": true, "clientErrorOutcomes": [],
                    "maxSavedDevices": 1, "outcomes": {"success": "now", "failure": "failure",
                    "exceedDeviceLimit": "failure"}},
                "now": {"type": "DeviceBindingNode", "clientErrorOutcomes": [], "maxSavedDevices": 1,
                    "outcomes": {"success": "store", "failure": "failure", "exceedDeviceLimit": "failure"}},
                "store": {"type": "DeviceBindingStorageNode", "outcomes": {"true": "success", "false": "tell"}},
                "tell": {"type": "ChoiceCollectorNode", "prompt": "not stored", "choices": ["end", "stop"],
                    "outcomes": {"end": "success", "stop": "success"}}}},
            "compare": {"start": "texts", "nodes": {
                "texts": {"type": "PageNode", "stage": "Compare", "header": "Twice", "description": {"de": "Zweimal"},
                    "nodes": [{"type": "TextInputNode", "attribute": "a", "prompt": "First"},
                        {"type": "TextInputNode", "attribute": "b"}],
                    "outcomes": {"outcome": "same"}},
                "same": {"type": "StateDecisionNode", "attribute": "a", "equalsAttribute": "b",
                    "outcomes": {"true": "tell", "false": "failure"}},
                "tell": {"type": "ChoiceCollectorNode", "choices": ["end", "stop"],
                    "outcomes": {"end": "failure", "stop": "failure"}}}},
            "round": {"start": "a", "nodes": {
                "x": {"type": "TextInputNode", "attribute": "x", "outcomes": {"outcome": "a"}},
                "a": {"type": "StateDecisionNode", "attribute": "x", "equals": "y",
                    "outcomes": {"true": "success", "false": "a"}}}}
        }}
        """#

    func withCaller(
        _ store: some RelyingPartyStore = MemoryRelyingPartyStore(clock: TestTime.clock),
        setup: TestingSetup = .router,
        masterKey: MasterKey = .random(),
        journeys: String = choose,
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.passwordHashing = PasswordHashing(unchecked: 8, passes: 1, lanes: 1, answerTime: .zero)
        configuration.journeys = try JourneyConfiguration(Data(journeys.utf8))
        try await TestRelyingParty.with(
            store, setup: setup, masterKey: masterKey, configuration: configuration, body)
    }

    static let base = "/json/realms/root/authenticate"

    static func begin(
        _ journey: String,
        at caller: TestCaller,
        path: String = base,
        headers: [String: String] = [:]
    ) async throws -> TestResponse {
        // With an empty object, as the SDKs send it.
        try await caller.call(
            .post, path + "?authIndexType=service&authIndexValue=" + journey,
            headers: headers.merging(["Content-Type": "application/json"]) { own, _ in own }, body: "{}")
    }

    /// Sends `asked` back with `values` in the inputs; a list fills all inputs of a callback.
    /// Parses an answer, which may be nested deeper than a message.
    static func json(of answer: TestResponse) throws -> JSONValue {
        try StrictJSON.decode(
            JSONValue.self, from: Data(answer.text.utf8), limits: JSONLimits(byteCount: 64 * 1024, depth: 16))
    }

    static func answer(
        _ asked: TestResponse,
        _ values: [JSONValue],
        at caller: TestCaller,
        path: String = base
    ) async throws -> TestResponse {
        let json = try json(of: asked)
        let callbacks = try #require(json["callbacks"]?.array, "\(asked.text)")
        let filled = try zip(callbacks, values).map { callback, value in
            let inputs = try zip(#require(callback["input"]?.array), value.array ?? [value]).map { input, value in
                JSONValue.object([.init("name", try #require(input["name"])), .init("value", value)])
            }
            return JSONValue.object([
                .init("type", try #require(callback["type"])), .init("input", .array(inputs)),
            ])
        }
        let body = JSONValue.object([
            .init("authId", try #require(json["authId"])), .init("callbacks", .array(filled)),
        ])
        return try await caller.call(
            .post, path, headers: ["Content-Type": "application/json"],
            body: String(decoding: body.bytes, as: UTF8.self))
    }

    /// Logs alice in and returns the session's token.
    static func logIn(at caller: TestCaller) async throws -> String {
        let password = try #require(Password(rawValue: "correct horse"))
        let set = try await caller.post(
            Credentials(user: try Fixture.alice(), password: password), to: .setPassword,
            headers: ["Authorization": "Bearer " + caller.backendKey.rawValue])
        #expect(set.status == .ok)
        let done = try await answer(
            begin("login", at: caller), [.string("alice"), .string("correct horse")], at: caller)
        let json = try StrictJSON.decode(JSONValue.self, from: Data(done.text.utf8))
        return try #require(json["tokenId"]?.string, "\(done.text)")
    }

    @Test("A refusal by a rate limit on a journey's path has PingAM's form, whatever the method")
    func limited() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 1)
        configuration.journeys = try JourneyConfiguration(Data(Self.choose.utf8))
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await TestRelyingParty.with(store, setup: .live, configuration: configuration) { caller in
            for (method, path, status) in [
                (.get, Self.base, 405), (.get, Self.base, 429), (.post, Self.base, 429), (.delete, Self.base, 429),
                (.get, "/json/realms/root/nothing", 429),
            ] as [(HTTPRequest.Method, String, Int)] {
                let answer = try await caller.call(method, path)
                #expect(answer.status.code == status, "\(method) \(path)")
                let json = try StrictJSON.decode(JSONValue.self, from: Data(answer.text.utf8))
                #expect(json.object?.members.map(\.name) == ["code", "reason", "message"], "\(answer.text)")
            }
        }
    }

    @Test("The root realm has two addresses, and no other realm exists")
    func realms() async throws {
        try await withCaller { caller in
            for path in [Self.base, "/json/realms/root/realms/root/authenticate"] {
                #expect(try await Self.begin("login", at: caller, path: path).status == .ok, "\(path)")
            }
            let other = try await Self.begin("login", at: caller, path: "/json/realms/alpha/authenticate")
            #expect(other.status == .notFound)
            #expect(other.text.hasPrefix(#"{"code":404,"reason":"Not Found","message":""#))
        }
    }

    @Test(
        """
        A journey expires after five minutes, also one from a clock that was ahead, with the error that the SDKs \
        expect
        """,
        arguments: [(300, true), (301, false), (-60, true), (-61, false)])
    func timeout(seconds: Int, isIn: Bool) async throws {
        try await withCaller { caller in
            let asked = try await Self.begin("choose", at: caller)
            try await TestTime.after(.seconds(seconds)) {
                let answer = try await Self.answer(asked, [.integer(0)], at: caller)
                if isIn {
                    #expect(answer.status == .ok)
                } else {
                    #expect(answer.status == .unauthorized)
                    let expected =
                        #"{"code":401,"reason":"Unauthorized","message":"Session has timed out","detail":{"errorCode":"110"}}"#
                    #expect(answer.text == expected)
                }
            }
        }
    }

    @Test("A looping journey expires five minutes after its start, however often it was answered")
    func age() async throws {
        try await withCaller { caller in
            var asked = try await Self.begin("choose", at: caller)
            try await TestTime.after(.seconds(200)) {
                asked = try await Self.answer(asked, [.integer(0)], at: caller)
                #expect(asked.status == .ok)
                try await TestTime.after(.seconds(200)) {
                    let late = try await Self.answer(asked, [.integer(0)], at: caller)
                    #expect(late.status == .unauthorized)
                }
            }
        }
    }

    @Test("Texts are in the client's language if the file has them")
    func languages() async throws {
        try await withCaller { caller in
            for (header, prompt) in [
                ("", "Which?"), ("fr", "Which?"), ("de-AT, en;q=0.5", "Welche?"), ("en;q=0.5, de-CH", "Weli?"),
                ("de;q=0, en", "Which?"), ("*;q=x,;;q", "Which?"),
            ] {
                let asked = try await Self.begin("choose", at: caller, headers: ["Accept-Language": header])
                #expect(asked.text.contains(#"{"name":"prompt","value":"\#(prompt)"}"#), "\(header)")
            }
        }
    }

    @Test("A page asks several questions at once, and a decision compares values of earlier nodes")
    func page() async throws {
        try await withCaller { caller in
            let asked = try await Self.begin("compare", at: caller, headers: ["Accept-Language": "de"])
            let expected = #"""
                "callbacks":[{"type":"TextInputCallback","output":[{"name":"prompt","value":"First"},\#
                {"name":"defaultText","value":""}],"input":[{"name":"IDToken1","value":""}]},\#
                {"type":"TextInputCallback","output":[{"name":"prompt","value":"Provide some information"},\#
                {"name":"defaultText","value":""}],"input":[{"name":"IDToken2","value":""}]}],\#
                "stage":"Compare","header":"Twice","description":"Zweimal"}
                """#
            #expect(asked.text.hasSuffix(expected), "\(asked.text)")
            let same = try await Self.answer(asked, [.string("“a”"), .string("“a”")], at: caller)
            #expect(same.text.contains("ChoiceCallback"))
            // Canonically equivalent, but not equal.
            for (first, second) in [("a", "b"), ("é", "e\u{301}")] {
                let other = try await Self.answer(
                    Self.begin("compare", at: caller), [.string(first), .string(second)], at: caller)
                #expect(other.status == .unauthorized)
            }
        }
    }

    @Test(
        "An invalid choice ends the journey",
        arguments: [
            JSONValue.integer(2), .integer(-1), .string("2"), .string("00"), .string("+0"), .string(""), .null,
            .bool(true),
        ])
    func choices(value: JSONValue) async throws {
        try await withCaller { caller in
            let answer = try await Self.answer(Self.begin("choose", at: caller), [value], at: caller)
            #expect(answer.status == .unauthorized)
        }
    }

    @Test("A journey that succeeds without a user gives no session, and a journey with an endless loop ends")
    func nobody() async throws {
        try await withCaller { caller in
            let answer = try await Self.answer(Self.begin("choose", at: caller), [.integer(1)], at: caller)
            #expect(answer.status == .unauthorized)
            #expect(try await Self.begin("round", at: caller).status == .unauthorized)
        }
    }

    @Test(
        "A client with a session is known, so it can bind a key without another login; a client without one is refused")
    func sessionFirst() async throws {
        try await withCaller { caller in
            let token = try await Self.logIn(at: caller)
            let known = try await Self.begin("bind-now", at: caller, headers: ["iPlanetDirectoryPro": token])
            #expect(known.text.contains(#""value":"id=alice,ou=user,o=root,"#), "\(known.text)")
            for headers in [[:], ["iPlanetDirectoryPro": Challenge.random().rawValue], ["iPlanetDirectoryPro": "x"]] {
                let unknown = try await Self.begin("bind-now", at: caller, headers: headers)
                #expect(unknown.status == .unauthorized)
            }
            try await TestTime.after(.seconds(120 * 60 + 1)) {
                let late = try await Self.begin("bind-now", at: caller, headers: ["iPlanetDirectoryPro": token])
                #expect(late.status == .unauthorized)
            }
        }
    }

    @Test("The backend manages any user's devices with its key only")
    func backend() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        let device = try TestJourneys.device("a/b+c=", of: alice)
        #expect(try await store.recordJourneyStep(TestJourneys.binding(device)) == .recorded)
        try await withCaller(store) { caller in
            let backend = ["Authorization": "Bearer " + caller.backendKey.rawValue, "Content-Type": "application/json"]
            let path = "/json/realms/root/users/id%3Dalice%2Cou%3Duser%2Co%3Droot%2Cou%3Dservices%2Cou%3Dam-config"
            let list = path + "/devices/2fa/binding"
            for headers in [[:], ["Authorization": "Bearer wrong"], ["Authorization": "Basic eA=="]] {
                #expect(try await caller.call(.get, list, headers: headers).status == .unauthorized)
            }
            let listed = try await caller.call(.get, list, headers: backend)
            #expect(listed.text.contains(#""_id":"a/b+c=""#), "\(listed.text)")
            let one = "/json/realms/root/users/alice/devices/2fa/binding/a%2Fb%2Bc%3D"
            let renamed = try await caller.call(.put, one, headers: backend, body: #"{"deviceName":"Lost phone"}"#)
            #expect(renamed.text.contains(#""deviceName":"Lost phone""#))
            for name in [#""""#, #""a\nb""#, "1", "null"] {
                let refused = try await caller.call(.put, one, headers: backend, body: #"{"deviceName":\#(name)}"#)
                #expect(refused.status == .badRequest, "\(name)")
            }
            #expect(try await caller.call(.delete, one, headers: backend).status == .ok)
            #expect(try await caller.call(.delete, one, headers: backend).status == .notFound)
        }
        #expect(try await store.journeyDevices(of: alice).isEmpty)
    }

    @Test("A path that is one user's universal id and another user's id is refused to the backend")
    func ambiguousUser() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let universal = "id=alice,ou=user,o=root,ou=services,ou=am-config"
        let device = try TestJourneys.device("a", of: try Fixture.alice())
        _ = try await store.recordJourneyStep(TestJourneys.binding(device))
        try await withCaller(store) { caller in
            let backend = ["Authorization": "Bearer " + caller.backendKey.rawValue]
            let escaped = universal.replacing("=", with: "%3D").replacing(",", with: "%2C")
            let path = "/json/realms/root/users/\(escaped)/devices/2fa/binding"
            #expect(try await caller.call(.get, path, headers: backend).text.contains(#""_id":"a""#))
            _ = try await store.newCode(for: #require(UserID(rawValue: universal)))
            #expect(try await caller.call(.delete, path + "/a", headers: backend).status == .notFound)
            #expect(try await store.journeyDevices(of: Fixture.alice()).count == 1)
            let byID = "/json/realms/root/users/alice/devices/2fa/binding/a"
            #expect(try await caller.call(.delete, byID, headers: backend).status == .ok)
        }
    }

    @Test("If the store cannot be written, an answer has no effect, and the same answer is accepted later")
    func unavailable() async throws {
        try await TemporaryFolder.with { folder in
            let store = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            let masterKey = MasterKey.random()
            let kept = Kept()
            try await withCaller(store, masterKey: masterKey) { caller in
                _ = try await Self.logIn(at: caller)
                await kept.keep(try await Self.begin("login", at: caller))
            }
            let asked = try #require(await kept.response)
            let right = [JSONValue.string("alice"), .string("correct horse")]
            try await withCaller(
                BrokenStore(reading: store, failure: RelyingPartyStoreError(.full)), masterKey: masterKey
            ) { caller in
                let refused = try await Self.answer(asked, right, at: caller)
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.text.hasPrefix(#"{"code":503,"reason":"Service Unavailable","message":""#))
                #expect(refused.headers[.retryAfter] == "1")
            }
            // Another process with the same master key could continue the journey.
            try await withCaller { caller in
                let foreign = try await Self.answer(asked, right, at: caller)
                #expect(foreign.status == .unauthorized)
            }
            try await withCaller(store, masterKey: masterKey) { caller in
                let taken = try await Self.answer(asked, right, at: caller)
                #expect(taken.status == .ok)
                let again = try await Self.answer(asked, right, at: caller)
                #expect(again.status == .unauthorized)
            }
            try store.close()
        }
    }

    @Test(
        "A journey that began under other rules is not continued, even with the same master key",
        arguments: [
            (#""choices": ["again", "name"]"#, #""choices": ["again", "name", "c"]"#, false),
            (#""realm": "root""#, #""realm": "other""#, false),
            (#""applicationIds": ["com.example.app"]"#, #""applicationIds": ["com.example.other"]"#, false),
            (#""stage": "Compare""#, #""stage": "Another journey""#, true),
        ])
    func otherFile(old: String, new: String, goesOn: Bool) async throws {
        let (masterKey, kept) = (MasterKey.random(), Kept())
        try await withCaller(masterKey: masterKey) { caller in
            await kept.keep(try await Self.begin("choose", at: caller))
        }
        let asked = try #require(await kept.response)
        let outcome = #""outcomes": {"again": "which", "name": "success""#
        var file = Self.choose.replacing(old, with: new)
        if new.contains(#""c""#) { file = file.replacing(outcome, with: outcome + #", "c": "failure""#) }
        #expect(file != Self.choose)
        try await withCaller(masterKey: masterKey, journeys: file) { caller in
            let realm = new.contains("other\"") && new.contains("realm") ? "other" : "root"
            let answer = try await Self.answer(
                asked, [.integer(0)], at: caller, path: "/json/realms/\(realm)/authenticate")
            #expect(answer.status == (goesOn ? .ok : .unauthorized), "\(answer.text)")
        }
    }

    /// Keeps the question of one server for another server.
    private actor Kept {
        private(set) var response: TestResponse?

        func keep(_ response: TestResponse) { self.response = response }
    }
}
