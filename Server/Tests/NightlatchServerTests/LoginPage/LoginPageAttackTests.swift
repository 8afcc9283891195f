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
                #expect(sent.status == .seeOther && location.hasPrefix(party.caller.issuer.rawValue + path + "?"))
                #expect(!location.contains("client_secret"))
                let relative = String(location.dropFirst(party.caller.issuer.rawValue.count))
                if browser.cookies["__Host-nightlatch-session"] == nil {
                    _ = try browser.handle(in: await browser.get(relative))
                    #expect(try party.answered(await browser.logIn(phone))["code"] != nil)
                }
                #expect(try party.answered(await browser.get(relative))["code"] != nil)
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
        try await OpenIDParty.with(change: { [start] in $0 = start }) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let begun = try await browser.authorize(OpenIDParty.webRequest())
            #expect(begun.headers[.location]?.hasPrefix(issuer.rawValue + "/login?request=") == true)
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
                    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
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
        try await OpenIDParty.with(change: { $0.refusalStep = .zero }) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            for _ in 0..<1000 { _ = try await browser.ask(on: browser.begin()) }
            let list = try await party.caller.remoteLogins(phone)
            #expect(list.logins.count == 3 && list.isLimitReached)
        }
    }

    @Test("Two browsers in a row: the second login replaces the session of the browser and not the first user's")
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
