import Foundation
import Nightlatch
import NightlatchJourney
import Testing

@Suite("Journeys on the wire")
struct JourneyWireTests {
    private let phone = JourneyPhone()

    private func loginPage() -> String {
        #"{"type":"NameCallback","output":[{"name":"prompt","value":"User Name"}],"#
            + #""input":[{"name":"IDToken1","value":""}],"_id":0},"#
            + #"{"type":"PasswordCallback","output":[{"name":"prompt","value":"Password"}],"#
            + #""input":[{"name":"IDToken2","value":""}],"_id":1},"#
            + #"{"new":{"b":1,"a":1.50},"type":"SomethingNewCallback","output":[],"input":[{"name":"IDToken3","value":7}],"_id":2}"#
    }

    @Test("A journey is started with the documented address, headers and body")
    func start() async throws {
        phone.server.script(.ask(loginPage()))
        _ = await phone.journey().start("Log in & bind") { options in
            options.forceAuth = true
            options.noSession = true
        }
        let request = try #require(phone.server.requests.first)
        #expect(
            request.url.absoluteString
                == "https://example.com/am/json/realms/alpha/authenticate?authIndexType=service"
                + "&authIndexValue=Log%20in%20%26%20bind&ForceAuth=true&noSession=true")
        #expect(request.method == "POST")
        #expect(
            request.headers == [
                "Accept-API-Version": "resource=2.1, protocol=1.0", "Content-Type": "application/json",
                "x-requested-with": "ping-sdk", "x-requested-platform": "ios", "Accept-Language": "en-GB, de",
            ])
        #expect(phone.server.lastBody == "{}")
        #expect(request.timeout == .seconds(30))
    }

    @Test(
        "A nested realm is sent as a path, and only its parts are escaped",
        arguments: [("root/realms/alpha", "root/realms/alpha"), ("/root/realms/a b/", "root/realms/a%20b")])
    func realmPath(realm: String, path: String) async throws {
        phone.server.script(.success)
        _ = await phone.journey(realm: realm).start("Login")
        let request = try #require(phone.server.requests.first)
        let expected = "https://example.com/am/json/realms/\(path)/authenticate?"
        #expect(request.url.absoluteString.hasPrefix(expected), "\(request.url)")
    }

    @Test("A key stays as it was if a gateway answers for the server")
    func gateway() async throws {
        let before = try await phone.bind().kid
        let (callback, node) = try await phone.callback(Callbacks.binding(), as: DeviceBindingCallback.self)
        _ = try await callback.bind().get()
        phone.server.script(.answer(status: 200, body: #"{"status":"ok"}"#))
        #expect(await node.next() is FailureNode)
        #expect(try await phone.keys().map(\.kid) == [before])
        #expect(try await phone.possessions().keys == 2)
    }

    @Test("Callbacks are sent back unchanged except for the values, with unknown callbacks and members")
    func echo() async throws {
        phone.server.script(.ask(loginPage()), .success)
        let node = try #require(await phone.journey().start("Login") as? ContinueNode)
        #expect(node.callbacks.map(\.type) == ["NameCallback", "PasswordCallback", "SomethingNewCallback"])
        let name = try #require(node.callbacks[0] as? NameCallback)
        let password = try #require(node.callbacks[1] as? PasswordCallback)
        #expect(name.prompt == "User Name")
        #expect(password.prompt == "Password")
        name.name = "demo"
        password.password = #"a"b\c/ü"#
        _ = await node.next()
        #expect(
            phone.server.requests[1].url.absoluteString
                == "https://example.com/am/json/realms/alpha/authenticate?noSession=false&ForceAuth=false")
        #expect(
            phone.server.lastBody
                == #"{"authId":"eyJ.a.b","callbacks":[{"type":"NameCallback","output":[{"name":"prompt","value":"User Name"}],"#
                + #""input":[{"name":"IDToken1","value":"demo"}],"_id":0},"#
                + #"{"type":"PasswordCallback","output":[{"name":"prompt","value":"Password"}],"#
                + #""input":[{"name":"IDToken2","value":"a\"b\\c/ü"}],"_id":1},"#
                + #"{"new":{"b":1,"a":1.50},"type":"SomethingNewCallback","output":[],"#
                + #""input":[{"name":"IDToken3","value":7}],"_id":2}]}"#)
    }

    @Test("Printing a node, a callback or a session shows no password and no token")
    func secrecy() async throws {
        phone.server.script(.ask(loginPage()), .success)
        let node = try #require(await phone.journey().start("Login") as? ContinueNode)
        let password = try #require(node.callbacks[1] as? PasswordCallback)
        password.password = "correct horse"
        let end = try #require(await node.next() as? SuccessNode)
        #expect(phone.server.lastBody.contains("correct horse"))
        for value in [node, node.callbacks, password, end, end.session] as [Any] {
            var text = "\(value)" + String(reflecting: value)
            dump(value, to: &text)
            for secret in ["correct horse", "token-1", "eyJ.a.b"] { #expect(!text.contains(secret), "\(text)") }
        }
    }

    @Test("Text and choice callbacks are read and answered")
    func otherCallbacks() async throws {
        phone.server.script(
            .ask(
                #"{"type":"ChoiceCallback","output":[{"name":"prompt","value":"Which?"},"#
                    + #"{"name":"choices","value":["a","b"]},{"name":"defaultChoice","value":1}],"#
                    + #""input":[{"name":"IDToken1","value":1}]}"#,
                #"{"type":"TextInputCallback","output":[{"name":"prompt","value":"Nickname"},"#
                    + #"{"name":"defaultText","value":"me"}],"input":[{"name":"IDToken2","value":""}]}"#,
                #"{"type":"TextOutputCallback","output":[{"name":"message","value":"Welcome"},"#
                    + #"{"name":"messageType","value":"0"}]}"#), .success)
        let node = try #require(await phone.journey().start("Login") as? ContinueNode)
        let choice = try #require(node.callbacks[0] as? ChoiceCallback)
        let text = try #require(node.callbacks[1] as? TextInputCallback)
        #expect(choice.choices == ["a", "b"])
        #expect(choice.selectedIndex == 1)
        #expect(text.defaultText == "me")
        #expect((node.callbacks[2] as? TextOutputCallback)?.message == "Welcome")
        choice.selectedIndex = 0
        text.text = "Al"
        _ = await node.next()
        #expect(phone.server.lastBody.contains(#"{"name":"IDToken1","value":0}"#))
        #expect(phone.server.lastBody.contains(#"{"name":"IDToken2","value":"Al"}"#))
        #expect(phone.server.lastBody.contains(#"{"name":"messageType","value":"0"}]}]}"#))
    }

    @Test("The session's token is kept, sent with the next journey, and deleted after signing off")
    func session() async throws {
        let journey = phone.journey { $0.cookie = "5421aeddf91aa20" }
        phone.server.script(.success)
        let node = try #require(await journey.start("Login") as? SuccessNode)
        #expect(node.session.value == "token-1")
        #expect(node.session.realm == "/alpha")
        #expect(!"\(node.session)".contains("token-1"))
        phone.server.script(.refusal)
        _ = await journey.start("Login")
        #expect(phone.server.requests[1].headers["5421aeddf91aa20"] == "token-1")
        phone.server.script(.failure, .answer(status: 200, body: #"{"result":"Successfully logged out"}"#))
        await #expect(throws: JourneyError.serverFailed(status: 503)) { try await journey.signOff().get() }
        #expect(await journey.session() != nil)
        try await journey.signOff().get()
        #expect(await journey.session() == nil)
        let request = try #require(phone.server.requests.last)
        #expect(request.url.absoluteString == "https://example.com/am/json/realms/alpha/sessions?_action=logout")
        #expect(request.headers["Accept-API-Version"] == "resource=3.1, protocol=1.0")
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == "{}")
        #expect(request.headers["5421aeddf91aa20"] == "token-1")
    }

    @Test("A session that the server has ended already is signed off without an error")
    func endedSession() async throws {
        let journey = phone.journey()
        phone.server.script(
            .success,
            .answer(status: 401, body: #"{"code":401,"reason":"Unauthorized","message":"Access Denied"}"#))
        _ = await journey.start("Login")
        #expect(await journey.session() != nil)
        try await journey.signOff().get()
        #expect(await journey.session() == nil)
    }

    @Test("A journey without a realm uses the root realm")
    func defaultRealm() async throws {
        phone.server.script(.success)
        let journey = phone.journey(realm: nil)
        #expect(await journey.start("Login") is SuccessNode)
        let request = try #require(phone.server.requests.last)
        #expect(request.url.absoluteString.hasPrefix("https://example.com/am/json/realms/root/authenticate?"))
    }

    @Test("A refusal, a missing answer and an answer from another source have different results")
    func ends() async throws {
        phone.server.script(.refusal)
        let refusal = try #require(await phone.journey().start("Login") as? ErrorNode)
        #expect(refusal.status == 401)
        #expect(refusal.message == "Login failure")
        #expect(!refusal.isSessionTimeout)
        phone.server.script(
            .answer(status: 401, body: #"{"code":401,"message":"Session has timed out","detail":{"errorCode":"110"}}"#))
        #expect(try #require(await phone.journey().start("Login") as? ErrorNode).isSessionTimeout)
        let others: [(ScriptedServer.Answer, JourneyError)] = [
            (.lost, .transport(.unreachable(reason: "lost"))), (.failure, .serverFailed(status: 503)),
            (.answer(status: 429, body: #"{"code":429}"#), .serverFailed(status: 429)),
            (.answer(status: 403, body: "<html>"), .unintelligible(status: 403)),
            (.answer(status: 401, body: #"{"error":"proxy"}"#), .unintelligible(status: 401)),
            (.answer(status: 302, body: "{}"), .unintelligible(status: 302)),
            (.answer(status: 200, body: #"{"authId":"a","authId":"b"}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: "[]"), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"authId":"a","callbacks":[1]}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"authId":"a","callbacks":{}}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"authId":5,"tokenId":"token-1"}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: "{}"), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"status":"ok"}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"tokenId":5,"successUrl":"/"}"#), .unintelligible(status: 200)),
            (.answer(status: 200, body: #"{"tokenId":"","realm":"/alpha"}"#), .unintelligible(status: 200)),
        ]
        for (answer, error) in others {
            phone.server.script(answer)
            let node = try #require(await phone.journey().start("Login") as? FailureNode)
            #expect(node.cause as? JourneyError == error)
        }
    }

    @Test(
        "Nothing is sent to a server without a safe address",
        arguments: ["http://example.com/am", "example.com", "", "https://user@example.com/am"])
    func unsafe(_ url: String) async throws {
        let node = try #require(await phone.journey { $0.serverUrl = url }.start("Login") as? FailureNode)
        #expect(node.cause as? JourneyError == .notConfigured)
        #expect(phone.server.requests.isEmpty)
    }

    @Test("A suspended journey resumes at its own server, whatever server the link names")
    func resume() async throws {
        phone.server.script(.success)
        let link = try #require(URL(string: "https://evil.example.net/?x=1&suspendedId=a%2Bb"))
        #expect(await phone.journey().resume(link) is SuccessNode)
        #expect(
            phone.server.requests.first?.url.absoluteString
                == "https://example.com/am/json/realms/alpha/authenticate?suspendedId=a%2Bb")
        #expect(phone.server.requests.first?.body == nil)
    }
}
