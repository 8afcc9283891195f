import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("Attacks on the login page, and clients that must not get it")
struct LoginPageAttackTests {
    @Test(
        "Only a browser's tab gets the page; other clients get the error as before",
        arguments: [
            [:], ["Accept": "*/*"], ["Accept": "application/json"], ["Accept": "application/xhtml+xml"],
            ["Accept": "text/html", "Accept-API-Version": "resource=2.1, protocol=1.0"],
            ["Accept": "text/html", "X-Requested-With": "ping-sdk"],
            ["Accept": "text/html", "X-Requested-With": "forgerock-sdk"],
            ["Accept": "text/html", "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Mode": "navigate"],
            ["Accept": "text/html", "Sec-Fetch-Mode": "cors"],
        ])
    func otherClients(headers: [String: String]) async throws {
        try await OpenIDParty.with { party in
            for method in [HTTPRequest.Method.get, .post] {
                let form = try OpenIDParty.form(OpenIDParty.webRequest())
                let type = ["Content-Type": "application/x-www-form-urlencoded"]
                let response =
                    method == .get
                    ? try await party.caller.call(.get, "/oauth/authorize?" + form, headers: headers)
                    : try await party.caller.call(
                        .post, "/oauth/authorize", headers: headers.merging(type) { $1 }, body: form)
                #expect(try party.answered(response)["error"] == "login_required")
                #expect(response.headers[.setCookie] == nil)
            }
        }
    }

    @Test("prompt=none and a server without the page give the error to browsers too")
    func noPage() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let fields = OpenIDParty.webRequest("web", ["prompt": "none"])
            let answer = try party.answered(await browser.authorize(fields))
            #expect(answer["error"] == "login_required")
        }
        try await OpenIDParty.with(hasLoginPage: false) { party in
            var browser = LoginBrowser(party)
            let answer = try party.answered(await browser.authorize(OpenIDParty.webRequest()))
            #expect(answer["error"] == "login_required")
            #expect(try await browser.get("/login").status == .notFound)
        }
    }

    @Test("A form of an app's page leads to the page too, with the cookies of the navigation that follows")
    func post() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            for path in ["/oauth/authorize", "/am/oauth2/realms/root/authorize"] {
                let fields = OpenIDParty.webRequest().merging(["client_secret": "s"]) { $1 }
                // Browsers send no `Lax` cookie with a form of another site.
                var bare = LoginBrowser(party)
                let sent = try await bare.post(path, fields, headers: ["Sec-Fetch-Site": "cross-site"])
                let location = try #require(sent.headers[.location])
                // Without a host, the cookies are valid there by whatever name the browser reached the server.
                #expect(sent.status == .seeOther && location.hasPrefix(path + "?"))
                #expect(!location.contains("client_secret"))
                if browser.cookies["__Host-nightlatch-session"] == nil {
                    _ = try browser.handle(in: await browser.get(location))
                    #expect(try party.answered(await browser.logIn(phone))["code"] != nil)
                }
                #expect(try party.answered(await browser.get(location))["code"] != nil)
            }
        }
    }

    @Test(
        "Both cookies are hidden from scripts and other sites; over https they have the prefix of this host",
        arguments: [
            ("https://login.example", "__Host-", ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]),
            ("http://127.0.0.1:8080", "", ["HttpOnly", "Path=/", "SameSite=Lax"]),
        ])
    func cookies(issuer: String, prefix: String, attributes: [String]) async throws {
        let issuer = try #require(Issuer(rawValue: issuer))
        var start = RelyingPartyConfiguration(issuer: issuer)
        start.journeys = nil
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = { [start] in $0 = start }
        try await OpenIDParty.with(change: change) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let begun = try await browser.authorize(OpenIDParty.webRequest())
            #expect(begun.headers[.location]?.hasPrefix("/login?request=") == true)
            #expect(begun.attributes(ofCookie: prefix + "nightlatch-login") == attributes)
            let secret = browser.cookies[prefix + "nightlatch-login"]
            let response = try await browser.logIn(phone)
            #expect(response.attributes(ofCookie: prefix + "nightlatch-session") == attributes)
            #expect(browser.cookies[prefix + "nightlatch-login"] == secret, "other tabs keep their page")
        }
    }

    @Test("Every answer of the page forbids framing, foreign resources and storing")
    func headers() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let handle = try await browser.begin()
            for response in [
                try await browser.page(handle), try await browser.get("/login"), try await browser.page("x"),
                try await browser.state(handle), try await browser.get("/login/ask"),
                try await browser.post("/login/ask", ["request": handle, "user": "alice"]),
                try await browser.post("/login/cancel", ["request": handle]),
            ] {
                let policy = try #require(response.headers[.contentSecurityPolicy])
                for part in [
                    "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'",
                    "style-src 'self'", "connect-src 'self'", "script-src 'sha256-",
                ] { #expect(policy.contains(part)) }
                #expect(!policy.contains("unsafe"))
                #expect(response.headers[.cacheControl] == "no-store")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                for (name, value) in [
                    ("Referrer-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "unsafe-none"),
                    ("Cross-Origin-Resource-Policy", "same-origin"),
                ] { #expect(response.headers[try #require(.init(name))] == value) }
                #expect(!response.text.contains(" style=") && !response.text.contains(" onclick="))
            }
            let style = try await browser.get("/login/style.css")
            #expect(style.headers[.contentType] == "text/css; charset=utf-8")
        }
    }

    @Test("The page and its forms belong to the browser that began the login")
    func otherBrowser() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var owner = LoginBrowser(party)
            let (handle, number) = try await owner.waiting()
            try await party.decide(.confirm, number: number, phone)
            var attackers = [LoginBrowser(party), LoginBrowser(party), LoginBrowser(party)]
            _ = try await attackers[1].begin()
            attackers[2].set("__Host-nightlatch-login", "x")
            for index in attackers.indices {
                let page = try await attackers[index].page(handle)
                #expect(page.status == .notFound && page.heading == "This page cannot continue")
                #expect(page.headers[.setCookie] == nil)
                let state = try await attackers[index].state(handle)
                #expect(try state.status == .notFound && state.loginState == "unknown")
                for path in ["/login/ask", "/login/again", "/login/cancel"] {
                    let response = try await attackers[index].post(path, ["request": handle, "user": "alice"])
                    #expect(response.status == .notFound && response.headers[.location] == nil)
                }
            }
            #expect(try party.answered(await owner.page(handle))["code"] != nil)
        }
    }

    @Test("Two different cookies with the secret count as none")
    func tossedCookie() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let handle = try await browser.begin()
            let name = "__Host-nightlatch-login"
            let own = name + "=" + (browser.cookies[name] ?? "")
            for (cookie, status) in [
                (own, HTTPResponse.Status.ok), (own + "; " + own, .ok),
                (own + "; " + name + "=" + Challenge.random().rawValue, .notFound),
            ] {
                let headers = LoginBrowser.navigation.merging(["Cookie": cookie]) { $1 }
                let page = try await party.caller.call(.get, "/login?request=" + handle, headers: headers)
                #expect(page.status == status)
            }
        }
    }

    @Test(
        "A form that another site sends is refused, and so is one without an origin",
        arguments: [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Origin": "https://evil.example"], [:],
        ])
    func foreignForm(origin: [String: String]) async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let handle = try await browser.begin()
            let cookie = browser.cookies.map { $0 + "=" + $1 }.joined(separator: "; ")
            for path in ["/login/ask", "/login/again", "/login/cancel"] {
                let headers = ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"]
                let response = try await party.caller.call(
                    .post, path, headers: origin.merging(headers) { $1 },
                    body: OpenIDParty.form(["request": handle, "user": "alice"]))
                #expect(response.status == .badRequest && response.headers[.location] == nil)
            }
            #expect(try await party.caller.remoteLogins(phone).logins.isEmpty)
        }
    }

    @Test("A frame and a script of another site get no session from the cookie")
    func foreignUse() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            _ = try await browser.logIn(phone)
            let path = "/oauth/authorize?" + (try OpenIDParty.form(OpenIDParty.webRequest()))
            for foreign in [
                ["Sec-Fetch-Dest": "iframe"], ["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"],
                ["Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"],
            ] {
                let headers = LoginBrowser.navigation.merging(foreign) { $1 }
                let answer = try party.answered(await browser.get(path, headers: headers))
                #expect(answer["error"] == "login_required")
            }
            let bare = ["Origin": "https://evil.example", "Content-Type": "application/x-www-form-urlencoded"]
            let cookie = browser.cookies.map { $0 + "=" + $1 }.joined(separator: "; ")
            let posted = try await party.caller.call(
                .post, "/oauth/authorize", headers: bare.merging(["Cookie": cookie]) { $1 },
                body: OpenIDParty.form(OpenIDParty.webRequest()))
            #expect(try party.answered(posted)["error"] == "login_required")
            #expect(try party.answered(await browser.get(path))["code"] != nil)
        }
    }

    @Test("An app or address that is not registered gets neither the page nor a redirect")
    func openRedirect() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            for change in [
                ["redirect_uri": "https://evil.example/callback"], ["client_id": "nobody"],
                ["redirect_uri": "javascript:alert(1)"],
            ] {
                let response = try await browser.authorize(OpenIDParty.webRequest("web", change))
                #expect(response.status == .badRequest && response.headers[.location] == nil)
                #expect(response.headers[.setCookie] == nil)
            }
            // The address is checked again when the login ends.
            let handle = try await browser.begin()
            try await party.change("web") { $0.redirectURIs = [] }
            try await TestTime.after(.seconds(60)) {
                let response = try await browser.post("/login/cancel", ["request": handle])
                #expect(response.status == .badRequest && response.heading == "This did not work")
                #expect(!response.text.contains("app.example"))
            }
        }
    }

    @Test("Neither page nor state tell whether a user exists, and a second click asks only once")
    func enumeration() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            for user in ["alice", "nobody"] {
                var browser = LoginBrowser(party)
                let offered = try await browser.begin()
                let handle = try await browser.ask(user, on: offered)
                let second = try await browser.ask(user, on: offered)
                for waiting in [handle, second] {
                    #expect(try await browser.page(waiting).heading == "Confirm on your phone")
                    #expect(try await browser.state(waiting).loginState == "waiting")
                }
                // The page before the name was entered, which the browser's history still has.
                #expect(try await browser.state(offered).loginState == "offered")
                #expect(try await browser.page(offered).heading == "Scan the code with your phone")
                // Another name on that page does not end the login of the first user.
                _ = try await browser.ask("bob", on: offered)
                #expect(try await browser.state(handle).loginState == "waiting")
            }
            #expect(try await party.caller.remoteLogins(phone).logins.count == 1)
        }
    }

    @Test("A thousand pages in the name of one user give the phone three requests, which say so")
    func pushFatigue() async throws {
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = { $0.refusalStep = .zero }
        try await OpenIDParty.with(change: change) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            for _ in 0..<1000 { _ = try await browser.ask(on: browser.begin()) }
            let list = try await party.caller.remoteLogins(phone)
            #expect(list.logins.count == 3 && list.isLimitReached)
        }
    }

    @Test("Pages that were opened in advance do not get around the limit, and a late name has the whole life")
    func advance() async throws {
        try await OpenIDParty.with { party in
            _ = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            var pages: [String] = []
            for _ in 0..<6 { pages.append(try await browser.begin()) }
            try await TestTime.after(.seconds(170)) {
                for page in pages.prefix(3) { _ = try await browser.ask(on: page) }
            }
            try await TestTime.after(.seconds(179)) {
                for page in pages.suffix(3) { _ = try await browser.ask(on: page) }
            }
            for seconds in [185, 349] {
                try await TestTime.after(.seconds(seconds)) {
                    let list = try await party.caller.remoteLogins(party.caller.newSession(of: Fixture.alice()))
                    #expect(list.logins.count == 3 && list.isLimitReached)
                }
            }
        }
    }

    @Test("A device that was stopped after its user confirmed logs no browser in, and the page says so")
    func stoppedDevice() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let (handle, number) = try await browser.waiting()
            #expect(try await party.caller.confirmRemoteLogin(number: number, phone) == .confirmed)
            _ = try await party.caller.revoke(phone.id, by: phone.device, token: phone.token)
            let page = try await browser.page(handle)
            #expect(page.status == .ok && page.heading == "The phone can no longer be used")
            #expect(!page.text.contains("<script") && browser.cookies["__Host-nightlatch-session"] == nil)
        }
    }

    @Test("A session of the login page is none for journeys: it manages no keys, binds none and is no session there")
    func noJourneySession() async throws {
        let file = #"""
            {"contextPath": "/am", "applicationIds": ["com.example.app"], "journeys": {
              "bind-now": {"start": "bind", "nodes": {
                "bind": {"type": "DeviceBindingNode", "clientErrorOutcomes": [],
                  "outcomes": {"success": "success", "failure": "failure"}}}}}}
            """#
        let change: @Sendable (inout RelyingPartyConfiguration) throws -> Void = {
            $0.journeys = try JourneyConfiguration(Data(file.utf8))
        }
        try await OpenIDParty.with(change: change) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            _ = try await browser.logIn(phone)
            let token = try #require(browser.cookies["__Host-nightlatch-session"])
            let headers = [OpenIDParty.cookie: token]
            let realm = "/am/json/realms/root"
            let information = try await party.caller.call(
                .post, realm + "/sessions?_action=getSessionInfo", headers: headers)
            #expect(information.status == .unauthorized)
            let keys = try await party.caller.call(
                .get, realm + "/users/alice/devices/2fa/binding?_queryFilter=true", headers: headers)
            #expect(keys.status == .unauthorized)
            // A journey that binds a key at once needs a session of a journey.
            for (session, status) in [(token, HTTPResponse.Status.unauthorized), (party.session, .ok)] {
                let begun = try await party.caller.call(
                    .post, realm + "/authenticate?authIndexType=service&authIndexValue=bind-now",
                    headers: [OpenIDParty.cookie: session, "Content-Type": "application/json"], body: "{}")
                #expect(begun.status == status, "\(begun.text)")
            }
        }
    }

    @Test("A form of an app becomes a navigation, so the browser sends its session, also if nothing may be asked")
    func posted() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            _ = try await browser.logIn(phone)
            for prompt in ["none", nil] {
                // With a form of another site, a browser sends no cookie.
                var foreign = LoginBrowser(party)
                let response = try await foreign.post(
                    "/oauth/authorize", OpenIDParty.webRequest("web", ["prompt": prompt]),
                    headers: ["Sec-Fetch-Site": "cross-site"])
                #expect(response.status == .seeOther && foreign.cookies.isEmpty)
                let address = try #require(response.headers[.location])
                #expect(address.hasPrefix("/oauth/authorize?"))
                let answer = try party.answered(await browser.get(address))
                #expect(answer["code"] != nil)
            }
        }
    }

    @Test("If an ID token names the user, neither a session nor a confirmation of another user is enough")
    func expectedUser() async throws {
        try await OpenIDParty.with { party in
            let phones = [
                "alice": try await party.caller.newSession(of: Fixture.alice()),
                "bob": try await party.caller.newSession(of: Fixture.bob()),
            ]
            let hint = try await party.tokens().text("id_token")
            var browser = LoginBrowser(party)
            for (user, phone) in phones.sorted(by: { $0.key > $1.key }) {
                let page = try await browser.begin("public", ["id_token_hint": hint])
                let handle = try await browser.ask(user, on: page)
                let number = try await browser.page(handle).number
                #expect(try await party.caller.confirmRemoteLogin(number: number, phone) == .confirmed)
                let last = try await browser.page(handle)
                #expect(last.heading == (user == "alice" ? "You are logged in" : "This did not work"))
            }
            // Bob's own session is enough without the hint, and not with it.
            var other = LoginBrowser(party)
            let page = try await other.ask("bob", on: other.begin("public"))
            let number = try await other.page(page).number
            _ = try await party.caller.confirmRemoteLogin(number: number, #require(phones["bob"]))
            #expect(try await other.page(page).heading == "You are logged in")
            let own = try party.answered(await other.authorize(OpenIDParty.webRequest("public")))
            #expect(own["code"] != nil)
            _ = try await other.begin("public", ["id_token_hint": hint])
            let forged = OpenIDParty.request("public", ["id_token_hint": hint.replacing("e", with: "f")])
            #expect(try party.answered(await browser.authorize(forged))["error"] == "invalid_request")
            let foreign = OpenIDParty.webRequest("web", ["id_token_hint": hint])
            #expect(try party.answered(await browser.authorize(foreign))["error"] == "invalid_request")
        }
    }

    @Test("A session of another user that was put into the browser does not become that of the user who logs in")
    func sessionFixation() async throws {
        try await OpenIDParty.with { party in
            let phones = [
                try await party.caller.newSession(of: Fixture.alice()),
                try await party.caller.newSession(of: Fixture.bob()),
            ]
            func subject(_ answer: TestResponse) async throws -> String {
                let code = try #require(try party.answered(answer)["code"])
                let tokens = try await party.token(
                    OpenIDParty.exchange(code, "web", ["redirect_uri": OpenIDParty.webRedirect])
                ).json()
                return try await party.claims(of: tokens.text("id_token"), type: "JWT").text("sub")
            }
            let name = "__Host-nightlatch-session"
            var attacker = LoginBrowser(party)
            let page = try await attacker.ask("bob", on: attacker.begin())
            let shown = try await attacker.page(page).number
            #expect(try await party.caller.confirmRemoteLogin(number: shown, phones[1]) == .confirmed)
            #expect(try await subject(attacker.page(page)) == "bob")
            let planted = try #require(attacker.cookies[name])

            for prompt in ["login", "select_account"] {
                var browser = LoginBrowser(party)
                browser.set(name, planted)
                let handle = try await browser.ask("alice", on: browser.begin("web", ["prompt": prompt]))
                #expect(browser.cookies[name] == planted)
                let number = try await browser.page(handle).number
                #expect(try await party.caller.confirmRemoteLogin(number: number, phones[0]) == .confirmed)
                #expect(try await subject(browser.page(handle)) == "alice")
                let own = try #require(browser.cookies[name])
                #expect(own != planted)
                #expect(try await subject(browser.authorize(OpenIDParty.webRequest())) == "alice")
                // The attacker still has only the session of the attacker.
                #expect(try await subject(attacker.authorize(OpenIDParty.webRequest())) == "bob")
            }
        }
    }

    @Test("Each page has a number of its own, whatever the name, also after the login was begun again")
    func numbers() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            var handle = try await browser.begin()
            var numbers: [String] = []
            for index in 0..<100 {
                numbers.append(try #require(try await browser.page(handle).number))
                handle =
                    index.isMultiple(of: 2)
                    ? try await browser.begin()
                    : try browser.handle(in: await browser.post("/login/again", ["request": handle]))
            }
            // Among 100 evenly drawn numbers are about 63 different ones, and once in 10^10 fewer than 44.
            #expect(Set(numbers).count >= 44, "\(numbers)")
        }
    }

    @Test("A pushed request that does not name its app again can be confirmed after its address has expired")
    func pushed() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var fields = OpenIDParty.request("server")
            fields["client_id"] = nil
            let pushed = try await party.post(
                fields, to: "/oauth/par", headers: OpenIDParty.basic("server", OpenIDParty.secret))
            var browser = LoginBrowser(party)
            let page = try browser.handle(
                in: await browser.authorize([
                    "client_id": "server", "request_uri": try pushed.json().text("request_uri"),
                ]))
            try await TestTime.after(.seconds(100)) {
                let handle = try await browser.ask(on: page)
                let number = try await browser.page(handle).number
                _ = try await party.caller.confirmRemoteLogin(number: number, phone)
                let last = try await browser.page(handle)
                #expect(last.status == .ok && last.heading == "You are logged in")
                #expect(last.text.contains("com.example.app:/callback?code="))
            }
        }
    }

    @Test("Ending the session of one browser in another browser keeps the session of the other")
    func otherSession() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var (first, second) = (LoginBrowser(party), LoginBrowser(party))
            _ = try await first.logIn(phone)
            let tokens = try await party.token(
                OpenIDParty.exchange(
                    try #require(try party.answered(await second.logIn(phone))["code"]), "web",
                    ["redirect_uri": OpenIDParty.webRedirect]))
            let hint = try OpenIDParty.form(["id_token_hint": tokens.json().text("id_token")])
            // Ending the second session in the first browser keeps the cookie of the first.
            #expect(try await first.get("/oauth/end-session?" + hint).headers[.setCookie] == nil)
            #expect(try party.answered(await first.authorize(OpenIDParty.webRequest()))["code"] != nil)
            _ = try await second.begin()
        }
    }
}
