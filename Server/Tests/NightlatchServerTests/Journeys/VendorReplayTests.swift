import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchServerTesting
import NightlatchWire
import Testing

/// Sends over a socket the requests of the vendor's SDKs, exactly as the protocol's description gives them.
@Suite("Requests of the vendor's SDKs, byte for byte")
struct VendorReplayTests {
    private static let journeys = #"""
        {"realm": "alpha", "contextPath": "/am", "applicationIds": ["com.example.app"], "journeys": {
            "choose": {"start": "which", "nodes": {
                "which": {"type": "ChoiceCollectorNode", "choices": ["end", "fail"],
                    "outcomes": {"end": "tell", "fail": "failure"}},
                "tell": {"type": "ChoiceCollectorNode", "choices": ["ok", "stop"],
                    "outcomes": {"ok": "failure", "stop": "failure"}}}},
            "bind-and-tell": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "clientErrorOutcomes": [],
                    "outcomes": {"success": "tell", "failure": "failure"}},
                "tell": {"type": "ChoiceCollectorNode", "choices": ["ok", "stop"],
                    "outcomes": {"ok": "success", "stop": "success"}}}}
        }}
        """#

    private func withPort(
        https: Bool = false,
        journeys: String = journeys,
        _ body: @escaping @Sendable (_ port: Int, TestCaller) async throws -> Void
    ) async throws {
        try await JourneyRouteTests().withCaller(setup: .live, journeys: journeys) { caller in
            for user in [try Fixture.alice(), try Fixture.bob()] {
                let password = try #require(Password(rawValue: "correct horse"))
                let set = try await caller.post(
                    Credentials(user: user, password: password), to: .setPassword,
                    headers: ["Authorization": "Bearer " + caller.backendKey.rawValue])
                #expect(set.status == .ok)
            }
            try await body(try #require(caller.client.port), caller)
        }
    }

    /// Logs in with name and password.
    private func logIn(_ user: String, _ sdk: VendorSDK, port: Int) async throws -> VendorAnswer {
        let asked = try await sdk.start("login").answer(port: port)
        #expect(asked.status == 200, "\(asked.body)")
        let filled = try asked.filled([[.string(user)], [.string("correct horse")]])
        return try await sdk.step(asked.json(), filled: filled).answer(port: port)
    }

    /// Binds a key with the id `kid` in the session of `user`.
    private func bind(
        _ kid: String,
        to user: String,
        _ sdk: VendorSDK,
        session: String,
        journey: String = "bind-and-tell",
        port: Int
    ) async throws -> (phone: JourneyPhone, told: VendorAnswer) {
        var phone = JourneyPhone(id: kid)
        phone.subject = "id=\(user),ou=user,o=alpha,ou=services,ou=am-config"
        let asked = try await sdk.start(journey, session: session).answer(port: port)
        let values = try #require(try phone.binding(challenge(in: asked)).array)
        let told = try await sdk.step(asked.json(), filled: asked.filled([values]), session: session).answer(port: port)
        return (phone, told)
    }

    private func challenge(in asked: VendorAnswer) throws -> String {
        let outputs = try #require(try asked.json()["callbacks"]?.array?.first?["output"]?.array, "\(asked.body)")
        return try #require(outputs.first { $0["name"]?.string == "challenge" }?["value"]?.string)
    }

    private func sign(_ phone: JourneyPhone, _ sdk: VendorSDK, port: Int) async throws -> VendorAnswer {
        let asked = try await sdk.start("usernameless-sign").answer(port: port)
        let message = try phone.message(challenge(in: asked))
        let filled = try asked.filled([[.string(message), .string("")]])
        return try await sdk.step(asked.json(), filled: filled).answer(port: port)
    }

    @Test(
        "Each SDK begins a journey in its own way and logs in; the session is returned as a token and as a cookie",
        arguments: VendorSDK.allCases)
    func login(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let done = try await logIn("alice", sdk, port: port)
            #expect(done.status == 200)
            let token = try done.token()
            #expect(done.body == #"{"tokenId":"\#(token)","successUrl":"/enduser/?realm=/alpha","realm":"/alpha"}"#)
            let cookie: Set = ["iPlanetDirectoryPro=" + token, "Path=/", "Secure", "HttpOnly", "SameSite=Strict"]
            #expect(done.cookies == [cookie])
        }
    }

    @Test(
        "Each SDK presents its session in its own way: the journey ends at once, and the session can be queried",
        arguments: VendorSDK.allCases)
    func session(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let token = try await logIn("alice", sdk, port: port).token()
            let again = try await sdk.start("login", session: token).answer(port: port)
            #expect(try again.token() == token)
            let information = try await sdk.sessionInfo(token).answer(port: port)
            #expect(information.status == 200)
            #expect(try information.json()["username"]?.string == "alice")
        }
    }

    @Test("Each SDK ends its session, and the server removes the cookie", arguments: VendorSDK.allCases)
    func logout(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let token = try await logIn("alice", sdk, port: port).token()
            let done = try await sdk.logout(token).answer(port: port)
            #expect(done.body == #"{"result":"Successfully logged out"}"#)
            let removal: Set = [
                "iPlanetDirectoryPro=", "Max-Age=0", "Path=/", "Secure", "HttpOnly", "SameSite=Strict",
            ]
            #expect(done.cookies == (sdk.isLegacy ? [removal] : []))
            #expect(try await sdk.sessionInfo(token).answer(port: port).status == 401)
        }
    }

    @Test("The logout of an old session by header leaves the cookie of a newer session")
    func oldLogout() async throws {
        try await withPort { port, _ in
            let old = try await logIn("alice", .legacyIOS, port: port).token()
            let new = try await logIn("alice", .legacyIOS, port: port).token()
            let request = VendorRequest(
                "POST", "/sessions?_action=logout",
                fields: ["iPlanetDirectoryPro: " + old, "Cookie: iPlanetDirectoryPro=" + new], body: "")
            let done = try await request.answer(port: port)
            #expect(done.status == 200 && done.cookies.isEmpty)
            #expect(try await VendorSDK.legacyIOS.sessionInfo(new).answer(port: port).status == 200)
            #expect(try await VendorSDK.legacyIOS.sessionInfo(old).answer(port: port).status == 401)
        }
    }

    @Test(
        """
        The header takes precedence over the cookie, an empty header is ignored, and two different cookies are refused
        """)
    func twoSessions() async throws {
        try await withPort { port, _ in
            let alice = try await logIn("alice", .ios2, port: port).token()
            let bob = try await logIn("bob", .ios2, port: port).token()
            let name = "iPlanetDirectoryPro"
            for (fields, user) in [
                (["\(name): \(alice)", "Cookie: \(name)=\(bob)"], "alice"),
                (["Cookie: other=1; \(name)=\(bob); more=2"], "bob"),
                (["\(name): ", "Cookie: \(name)=\(bob)"], "bob"),
                (["Cookie: \(name)=\(bob)", "Cookie: \(name)=\(bob)"], "bob"),
                (["Cookie: \(name)=\(bob); \(name)=\(alice)"], nil),
                (["Cookie: \(name)=\(bob)", "Cookie: \(name)=\(alice)"], nil),
                (["Cookie: x\(name)=\(bob)"], nil), (["Cookie: \(name.lowercased())=\(bob)"], nil),
                (["\(name): \(alice)x", "Cookie: \(name)=\(bob)"], nil),
            ] as [([String], String?)] {
                let request = VendorRequest("POST", "/sessions?_action=getSessionInfo", fields: fields, body: "")
                let answer = try await request.answer(port: port)
                #expect(answer.status == (user == nil ? 401 : 200), "\(fields)")
                #expect(try answer.json()["username"]?.string == user, "\(fields)")
            }
        }
    }

    @Test("A cookie sent by a page of another site is ignored; the app's own page may send it")
    func foreignPage() async throws {
        try await withPort { port, caller in
            let token = try await logIn("alice", .legacyIOS, port: port).token()
            let cookie = "Cookie: iPlanetDirectoryPro=" + token
            let own = caller.issuer.rawValue
            for (fields, isTaken) in [
                ([], true), (["Sec-Fetch-Site: same-origin", "Origin: " + own], true), (["Origin: " + own], true),
                (["Sec-Fetch-Site: cross-site"], false), (["Sec-Fetch-Site: same-site"], false),
                (["Origin: https://evil.example"], false), (["Origin: null"], false),
                (["Sec-Fetch-Site: cross-site", "Origin: " + own], false),
            ] as [([String], Bool)] {
                let status = isTaken ? 200 : 401
                let read = VendorRequest(
                    "POST", "/sessions?_action=getSessionInfo", fields: [cookie] + fields, body: "")
                #expect(try await read.answer(port: port).status == status, "\(fields)")
                let path = "/users/alice/devices/2fa/binding"
                let list = VendorRequest("GET", path, fields: [cookie] + fields, body: "")
                #expect(try await list.answer(port: port).status == status, "\(fields)")
                let delete = VendorRequest("DELETE", path + "/none", fields: [cookie] + fields, body: "")
                #expect(try await delete.answer(port: port).status == (isTaken ? 404 : 401), "\(fields)")
                if !isTaken {
                    let out = VendorRequest("POST", "/sessions?_action=logout", fields: [cookie] + fields, body: "")
                    #expect(try await out.answer(port: port).cookies.isEmpty)
                }
            }
            // None of the cross-site pages has ended the session.
            #expect(try await VendorSDK.legacyIOS.sessionInfo(token).answer(port: port).status == 200)
        }
    }

    @Test("The cookie has the name from the file, and a journey without a session sets no cookie")
    func cookieName() async throws {
        let journeys =
            #"{"realm": "alpha", "contextPath": "/am", "cookieName": "5421aeddf91aa20", "readyMade": ["login"]}"#
        try await withPort(journeys: journeys) { port, _ in
            let done = try await logIn("alice", .ios2, port: port)
            let token = try done.token()
            #expect(done.cookies.map { $0.contains("5421aeddf91aa20=" + token) } == [true])
            let request = VendorRequest(
                "POST", "/sessions?_action=getSessionInfo", fields: ["Cookie: 5421aeddf91aa20=" + token], body: "")
            #expect(try await request.answer(port: port).status == 200)
            let asked = try await VendorRequest(
                "POST", "/authenticate?noSession=true", fields: ["Content-Type: application/json"], body: "{}"
            ).answer(port: port)
            let filled = try asked.filled([[.string("alice")], [.string("correct horse")]])
            let silent = try await VendorSDK.ios2.step(asked.json(), filled: filled).answer(port: port)
            #expect(silent.body == #"{"successUrl":"/enduser/?realm=/alpha","realm":"/alpha"}"#)
            #expect(silent.cookies.isEmpty)
        }
    }

    @Test("Two users bind keys with the same fixed tag, and each signs with its own key", arguments: VendorSDK.allCases)
    func fixedTag(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            for user in ["alice", "bob"] {
                let token = try await logIn(user, sdk, port: port).token()
                let (phone, told) = try await bind(
                    "my-custom-key-tag", to: user, sdk, session: token, port: port)
                #expect(told.body.contains("ChoiceCallback"), "\(told.body)")
                let signed = try await sign(phone, sdk, port: port)
                let information = try await sdk.sessionInfo(signed.token()).answer(port: port)
                #expect(try information.json()["username"]?.string == user)
            }
        }
    }

    @Test(
        "A user who binds again under the same tag has only the new key, and the journey continues",
        arguments: VendorSDK.allCases)
    func sameTagAgain(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let token = try await logIn("alice", sdk, port: port).token()
            let (old, _) = try await bind("my-custom-key-tag", to: "alice", sdk, session: token, port: port)
            let stolen = try await sign(old, sdk, port: port).token()
            let underWay = try await sdk.start("choose", session: stolen).answer(port: port)
            let (new, told) = try await bind("my-custom-key-tag", to: "alice", sdk, session: token, port: port)
            let done = try await sdk.step(
                told.json(), filled: told.filled([[.integer(0)]]), session: token
            ).answer(port: port)
            #expect(done.status == 200, "\(done.body)")
            // The sessions and journeys that the old key began have ended.
            #expect(try await sdk.sessionInfo(stolen).answer(port: port).status == 401)
            let late = try await sdk.step(underWay.json(), filled: underWay.filled([[.integer(0)]])).answer(port: port)
            #expect(late.status == 401)
            #expect(try await sign(old, sdk, port: port).status == 401)
            #expect(try await sign(new, sdk, port: port).status == 200)
        }
    }

    @Test("Each SDK unbinds a key in its own way, and not without a session", arguments: VendorSDK.allCases)
    func unbinding(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let token = try await logIn("alice", sdk, port: port).token()
            _ = try await bind("a-key", to: "alice", sdk, session: token, port: port)
            #expect(try await sdk.unbind("a-key", of: "alice", session: nil).answer(port: port).status == 401)
            let done = try await sdk.unbind("a-key", of: "alice", session: token).answer(port: port)
            #expect(done.status == 200)
            #expect(try done.json()["_id"]?.string == "a-key")
            #expect(try await sdk.unbind("a-key", of: "alice", session: token).answer(port: port).status == 404)
        }
    }

    @Test(
        "One SDK sends an untouched choice as a text, which is accepted",
        arguments: [JSONValue.string("0"), .integer(0)])
    func untouchedChoice(value: JSONValue) async throws {
        try await withPort { port, _ in
            let asked = try await VendorSDK.legacyIOS.start("choose").answer(port: port)
            let told = try await VendorSDK.legacyIOS.step(asked.json(), filled: asked.filled([[value]])).answer(
                port: port)
            #expect(told.body.contains(#""choices","value":["ok","stop"]"#), "\(told.body)")
        }
    }

    @Test("A suspended journey is refused with 401, for each SDK's request", arguments: ["{}", ""])
    func suspended(body: String) async throws {
        try await withPort { port, _ in
            let request = VendorRequest(
                "POST", "/authenticate?suspendedId=eyJ.a.b", fields: ["Content-Type: application/json"], body: body)
            let answer = try await request.answer(port: port)
            #expect(answer.status == 401)
            #expect(answer.body == #"{"code":401,"reason":"Unauthorized","message":"Login failure"}"#)
        }
    }

    @Test(
        """
        The lists of the other kinds of devices are empty, for the user's session and for the backend; no device of \
        these kinds can be changed
        """,
        arguments: ["2fa/oath", "2fa/push", "2fa/webauthn", "profile"])
    func otherKinds(kind: String) async throws {
        try await withPort { port, caller in
            let session = "iPlanetDirectoryPro: " + (try await logIn("alice", .ios2, port: port).token())
            let backend = "Authorization: Bearer " + caller.backendKey.rawValue
            let path = "/users/alice/devices/" + kind
            for field in [session, backend] {
                let list = try await VendorRequest("GET", path + "?_queryFilter=true", fields: [field], body: "")
                    .answer(port: port)
                #expect(list.status == 200)
                let expected =
                    #"{"result":[],"resultCount":0,"pagedResultsCookie":null,"totalPagedResultsPolicy":"NONE","#
                    + #""totalPagedResults":-1,"remainingPagedResults":-1}"#
                #expect(list.body == expected)
            }
            for (method, path, fields, status) in [
                ("PUT", path + "/id", [session, "Content-Type: application/json", "If-Match: *"], 404),
                ("DELETE", path + "/id", [session], 404), ("DELETE", path + "/id", [backend], 404),
                ("GET", path, [], 401), ("PUT", path + "/id", [], 401), ("DELETE", path + "/id", [], 401),
                ("GET", "/users/bob/devices/" + kind, [session], 404),
            ] as [(String, String, [String], Int)] {
                let refused = try await VendorRequest(method, path, fields: fields, body: "{}").answer(port: port)
                #expect(refused.status == status, "\(method) \(path)")
                let json = try refused.json()
                #expect(json.object?.members.map(\.name) == ["code", "reason", "message"])
                #expect(json["code"]?.integer == status)
            }
        }
    }

    @Test("A logout without a live session is refused in PingAM's form", arguments: VendorSDK.allCases)
    func logoutRefused(sdk: VendorSDK) async throws {
        try await withPort { port, _ in
            let token = try await logIn("alice", sdk, port: port).token()
            #expect(try await sdk.logout(token).answer(port: port).status == 200)
            let without = VendorRequest("POST", "/sessions?_action=logout", fields: [], body: "{}")
            for request in [sdk.logout(token), sdk.logout("no-token"), without] {
                let refused = try await request.answer(port: port)
                #expect(refused.status == 401)
                #expect(refused.body == #"{"code":401,"reason":"Unauthorized","message":"Access Denied"}"#)
                #expect(refused.cookies.isEmpty)
            }
        }
    }

    @Test("An unsupported PingAM address or method is refused in PingAM's form")
    func notServed() async throws {
        try await withPort { port, _ in
            let devices = "/users/alice/devices/"
            for (method, path, status, reason) in [
                ("GET", devices + "2fa/unknown?_queryFilter=true", 404, "Not Found"),
                ("DELETE", devices + "2fa/unknown/id", 404, "Not Found"),
                ("PUT", devices + "trusted/id", 404, "Not Found"),
                ("GET", "/users/alice", 404, "Not Found"), ("POST", "/nothing", 404, "Not Found"),
                ("GET", "/authenticate", 405, "Method Not Allowed"),
                ("POST", devices + "2fa/binding", 405, "Method Not Allowed"),
            ] {
                let answer = try await VendorRequest(method, path, fields: [], body: "").answer(port: port)
                #expect(answer.status == status, "\(method) \(path)")
                let json = try answer.json()
                #expect(json.object?.members.map(\.name) == ["code", "reason", "message"])
                #expect(json["code"]?.integer == status && json["reason"]?.string == reason)
                #expect(json["message"]?.string?.isEmpty == false)
            }
        }
    }
}
