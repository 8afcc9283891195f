import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchTokenVerification
import NightlatchWire
import Testing

@Suite("The login page")
struct LoginPageTests {
    @Test(
        "The user enters a name, confirms on the phone, and the app gets a code; the browser then has a session",
        arguments: StoreKind.allCases)
    func wholeFlow(kind: StoreKind) async throws {
        try await OpenIDParty.with(kind) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let offered = try await browser.begin()
            let first = try await browser.page(offered)
            #expect(first.status == .ok && first.heading == "Scan the code with your phone")
            #expect(first.text.contains("<svg class=\"code\" role=\"img\" aria-label=\"QR code"))
            #expect(try await browser.state(offered).loginState == "offered")

            let handle = try await browser.ask(on: offered)
            let second = try await browser.page(handle)
            #expect(second.status == .ok && second.heading == "Confirm on your phone")
            #expect(second.number == first.number)
            #expect(try await browser.state(handle).loginState == "waiting")

            let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
            #expect(notice.details.app.rawValue == "Example" && notice.details.hasNumber)
            #expect(try await party.caller.confirmRemoteLogin(number: second.number, phone) == .confirmed)
            #expect(try await browser.state(handle).loginState == "confirmed")

            let answer = try party.answered(await browser.page(handle))
            #expect(answer["state"] == "a state" && answer["iss"] == party.caller.issuer.rawValue)
            let tokens = try await party.token(
                OpenIDParty.exchange(
                    try #require(answer["code"]), "web", ["redirect_uri": OpenIDParty.webRedirect]))
            #expect(tokens.status == .ok, "\(tokens.text)")

            // The session is enough for the next app, until that app wants a new login.
            let next = try party.answered(await browser.authorize(OpenIDParty.request()))
            #expect(next["code"] != nil)
            _ = try await browser.begin("web", ["prompt": "login"])

            // The page cannot be used twice.
            let again = try await browser.page(handle)
            #expect(again.status == .ok && again.heading == "This login is already complete")
            #expect(try await browser.state(handle).loginState == "ended")

            let end = try await browser.get(
                "/oauth/end-session?" + OpenIDParty.form(["id_token_hint": tokens.json().text("id_token")]))
            #expect(end.status == .noContent && browser.cookies["__Host-nightlatch-session"] == nil)
            _ = try await browser.begin()
        }
    }

    @Test("The page works without journeys")
    func noJourneys() async throws {
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = { $0.journeys = nil }
        try await OpenIDParty.with(change: change) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            #expect(try party.answered(await browser.logIn(phone))["code"] != nil)
            #expect(try party.answered(await browser.authorize(OpenIDParty.request()))["code"] != nil)
        }
    }

    @Test(
        "A rejection, a wrong number, a second user and the end of time each have a page, from which a user can go on")
    func ends() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            _ = try await party.store.newCode(for: Fixture.bob())
            let party = party
            func expectEnd(
                _ heading: String, _ end: @escaping @Sendable (_ number: String) async throws -> Void
            ) async throws {
                var browser = LoginBrowser(party)
                let (handle, number) = try await browser.waiting()
                try await end(number)
                #expect(try await browser.state(handle).loginState == "ended")
                let page = try await browser.page(handle)
                #expect(page.status == .ok && page.heading == heading)
                let again = try browser.handle(in: await browser.post("/login/again", ["request": handle]))
                #expect(try await browser.page(again).heading == "Scan the code with your phone")
                #expect(try await browser.page(handle).heading == heading)
            }
            try await expectEnd("The login was rejected") { _ in try await party.decide(.reject, phone) }
            try await expectEnd("The number was wrong") { number in
                try await party.decide(.confirm, number: number == "00" ? "01" : "00", phone)
            }
            try await expectEnd("Two people scanned the code") { _ in
                let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
                let login = RemoteLogin(
                    id: notice.id, user: try Fixture.bob(), details: notice.details, number: nil, isClaimed: true)
                _ = try await party.store.openRemoteLogin(login)
            }
            try await TestTime.after(.seconds(200)) {
                var browser = LoginBrowser(party)
                let (handle, _) = try await browser.waiting()
                try await TestTime.after(.seconds(181)) {
                    #expect(try await browser.state(handle).loginState == "ended")
                    #expect(try await browser.page(handle).heading == "The login has expired")
                    let again = try browser.handle(in: await browser.post("/login/again", ["request": handle]))
                    #expect(try await browser.page(again).heading == "Scan the code with your phone")
                }
                // The page's address works for an hour after that.
                try await TestTime.after(.seconds(181 + 3600)) {
                    let late = try await browser.page(handle)
                    #expect(late.status == .notFound)
                }
            }
        }
    }

    @Test(
        "A user who gives up is sent to the app with the error, by a page or a form", arguments: ["query", "form_post"])
    func cancel(mode: String) async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let handle = try await browser.begin("web", ["response_mode": mode])
            let response = try await browser.post("/login/cancel", ["request": handle])
            #expect(response.status == .ok && response.text.contains("access_denied"))
            if mode == "query" {
                let start =
                    #"<meta http-equiv="refresh" content="0; url=https://app.example/callback?error=access_denied&"#
                #expect(response.text.contains(start) && response.heading == "You are not logged in")
            } else {
                #expect(response.text.contains(#"<form method="post" action="https://app.example/callback">"#))
            }
        }
    }

    @Test("A program is opened by a page with a link, because browsers may demand a click")
    func privateScheme() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let response = try await browser.logIn(phone, "public")
            #expect(response.status == .ok && response.heading == "You are logged in")
            #expect(response.text.contains(#"<a class="button" href="com.example.app:/callback?code="#))
            #expect(browser.cookies["__Host-nightlatch-session"] != nil)
        }
    }

    @Test(
        "The page is in the language that the browser prefers",
        arguments: [
            (nil, "en", "Scan the code with your phone"), ("de-CH,en;q=0.5", "de", "Code mit dem Handy scannen"),
            ("it, fr;q=0.8", "fr", "Scannez le code avec votre téléphone"),
            ("it", "en", "Scan the code with your phone"),
        ] as [(String?, String, String)])
    func languages(accepted: String?, language: String, heading: String) async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            browser.languages = accepted
            let page = try await browser.page(browser.begin())
            #expect(page.language == language && page.heading == heading)
            #expect(try await browser.page("x").language == language)
        }
    }

    @Test("The name that the app expects is in the form, and cannot leave it as markup")
    func userHint() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let hinted = try await browser.page(browser.begin("web", ["login_hint": "alice"]))
            #expect(hinted.text.contains(#"value="alice" required"#))
            let markup = #""><script>alert(1)</script>'&"#
            let page = try await browser.page(browser.begin("web", ["login_hint": markup]))
            #expect(page.text.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;\" required"))
            let handle = try await browser.begin("web", ["login_hint": "a\u{202E}b"])
            #expect(try await browser.page(handle).text.contains(#"value="" required"#))
        }
    }

    @Test(
        "A text that cannot be a name is shown again with the reason", arguments: ["", " ", "a\u{0}b", "<b>\u{202E}"])
    func wrongName(name: String) async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let handle = try await browser.begin()
            let response = try await browser.post("/login/ask", ["request": handle, "user": name])
            #expect(response.status == .badRequest && response.text.contains(#"aria-invalid="true""#))
            #expect(response.text.contains(#"role="alert""#) && !response.text.contains("<b>"))
        }
    }

    @Test("Spaces around the name do not count, because keyboards of phones add them")
    func spacesAroundName() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            _ = try await browser.ask(" alice ", on: browser.begin())
            #expect(try await party.caller.remoteLogins(phone).logins.count == 1)
        }
    }

    @Test("The page of a user who scanned the code with the camera explains what to do")
    func scanned() async throws {
        try await OpenIDParty.with { party in
            var browser = LoginBrowser(party)
            let response = try await browser.get("/login")
            #expect(response.status == .ok && response.heading == "Scan the code with the app")
        }
    }

    @Test("The device learns the browser's address, also behind a trusted proxy", arguments: [nil, "203.0.113.7"])
    func place(forwarded: String?) async throws {
        let trusted = try #require(AddressRange("127.0.0.0/8"))
        let change: @Sendable (inout RelyingPartyConfiguration) -> Void = { $0.limits.trustedProxies = [trusted] }
        try await OpenIDParty.with(setup: .live, change: change) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            var headers = LoginBrowser.navigation
            headers["X-Forwarded-For"] = forwarded
            let response = try await browser.get(
                "/oauth/authorize?" + OpenIDParty.form(OpenIDParty.webRequest()), headers: headers)
            _ = try await browser.ask(on: browser.handle(in: response))
            let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
            #expect(notice.details.place?.rawValue == forwarded ?? "127.0.0.1")
        }
    }

    @Test("A request for only the headers does not use up a confirmed login")
    func head() async throws {
        try await OpenIDParty.with { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            var browser = LoginBrowser(party)
            let (handle, number) = try await browser.waiting()
            try await party.decide(.confirm, number: number, phone)
            let head = try await party.caller.call(
                .head, "/login?request=" + handle,
                headers: ["Cookie": browser.cookies.map { $0 + "=" + $1 }.joined(separator: "; ")])
            #expect(head.status == .ok && head.headers[.setCookie] == nil)
            #expect(try party.answered(await browser.page(handle))["code"] != nil)
        }
    }
}
