import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Signing in to the console with a phone")
struct ConsoleSignInTests {
    @Test(
        """
        An operator signs in with the phone, the phone shows that it is the console, and the audit log names the \
        operator; no app and no other page gets access
        """)
    func wholeFlow() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .support)
            var browser = OperatorBrowser(party.caller)
            let page = try await browser.get("/console/sign-in").text
            #expect(page.contains(">Sign in with your phone</button>") && page.contains(">Admin key</label>"))
            let offered = try await browser.beginSignIn()
            let first = try await browser.get("/login?request=" + offered)
            #expect(first.text.contains("Console of https://login.example"))
            _ = try await browser.post("/login/ask", ["request": offered, "user": "alice"])
            let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
            #expect(notice.details.app.rawValue == "Console of https://login.example")
            #expect(notice.details.client == .console)
            #expect(try await party.caller.confirmRemoteLogin(number: first.number, phone) == .confirmed)

            let left = try await browser.get("/login?request=" + offered)
            let done = try await browser.get(try #require(left.headers[.location]))
            #expect(done.status == .seeOther && done.headers[.location] == "/console")
            let attributes = done.attributes(ofCookie: OperatorBrowser.console)
            #expect(attributes == ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"])
            let overview = try await browser.get("/console")
            #expect(overview.status == .ok && overview.text.contains("Operator alice, support"))

            let signedIn = try await party.events(.consoleSignedIn)
            #expect(signedIn.map { $0.actor.name?.rawValue } == ["Operator alice"])
            // The browser got no session for apps, and there is no grant and no code.
            #expect(browser.cookies[OperatorBrowser.session] == nil)
            #expect(try await party.store.userData(.appGrants, of: phone.user, after: nil, limit: 9).isEmpty)
            #expect(try await party.events(.appTokensIssued).isEmpty)
            #expect(try await party.events(.remoteLoginCompleted).map(\.client) == [.console])

            _ = try await browser.post("/console/sign-out")
            #expect(try await browser.get("/console").asksToSignIn)
            #expect(try await party.store.journeySessions(of: phone.user, limit: 9).isEmpty)
        }
    }

    @Test("A user who is no operator gets a page that says so, no session and nothing left over")
    func noOperator() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), nil)
            var browser = OperatorBrowser(party.caller)
            let refused = try await browser.signIn(phone)
            #expect(refused.status == .forbidden && refused.heading == "You are no operator")
            #expect(browser.cookies[OperatorBrowser.console] == nil)
            #expect(try await party.store.journeySessions(of: phone.user, limit: 9).isEmpty)
            #expect(try await party.events(.consoleSignedIn).isEmpty)
        }
    }

    @Test("A confirmed login signs in once, also if its address is loaded in another browser or sent by another site")
    func onlyOnce() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            let handle = try await browser.confirmedSignIn(phone)
            let address = "/console/signed-in?request=" + handle
            // Another browser, with a secret of its own or none.
            var other = OperatorBrowser(party.caller)
            for _ in 0..<2 {
                let refused = try await other.get(address)
                #expect(refused.status == .notFound && other.cookies[OperatorBrowser.console] == nil)
                _ = try await other.beginSignIn()
            }
            // A program that only looks does not use it up, and an image on another site does not carry the secret.
            #expect(try await browser.get(address, .head).status == .ok)
            let foreign = try await browser.get(
                address, headers: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"])
            #expect(foreign.status == .notFound)
            #expect(try await browser.get(address).status == .seeOther)
            let cookie = try #require(browser.cookies[OperatorBrowser.console])
            let again = try await browser.get(address)
            #expect(again.status == .notFound && browser.cookies[OperatorBrowser.console] == cookie)
            #expect(try await browser.get("/console").status == .ok)
            #expect(try await party.events(.consoleSignedIn).count == 1)
        }
    }

    @Test("A login that is not confirmed, was rejected, or is unknown signs nobody in")
    func notConfirmed() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            let offered = try await browser.beginSignIn()
            let asked = try await browser.post("/login/ask", ["request": offered, "user": "alice"])
            let handle = try browser.handle(in: asked, at: "/login")
            for text in [offered, handle, "x", ""] {
                let refused = try await browser.get("/console/signed-in?request=" + text)
                #expect(refused.status == .notFound && browser.cookies[OperatorBrowser.console] == nil)
            }
            #expect(try await browser.get("/console/signed-in").status == .notFound)
            let notice = try #require(try await party.caller.remoteLogins(phone).logins.first)
            let answer = try await party.caller.answer(.reject, to: notice, phone)
            _ = try await party.caller.finishRemoteLogin(answer)
            #expect(try await browser.get("/console/signed-in?request=" + handle).status == .notFound)
            // Giving up leads back to the sign-in page, and nowhere else.
            let cancelled = try await browser.post("/login/cancel", ["request": handle])
            #expect(cancelled.status == .seeOther && cancelled.headers[.location] == "/console/sign-in")
        }
    }

    @Test("A login to an app signs nobody in to the console, and a sign-in to the console gives no app access")
    func appsAndConsole() async throws {
        try await OpenIDParty.with(adminKey: .random()) { party in
            let phone = try await party.caller.newSession(of: Fixture.alice())
            _ = try await party.store.changeOperator(
                .add(name: try #require(PartyName(rawValue: "Alice")), role: .owner), of: phone.user,
                keepingOwner: true, by: .operator)
            var browser = LoginBrowser(party)
            let (handle, number) = try await browser.waiting()
            #expect(try await party.caller.confirmRemoteLogin(number: number, phone) == .confirmed)
            let refused = try await browser.get("/console/signed-in?request=" + handle)
            #expect(refused.status == .notFound && browser.cookies[OperatorBrowser.console] == nil)
            // The app still gets its answer.
            #expect(try party.answered(await browser.page(handle))["code"] != nil)

            // The console's id is no app: it cannot be authorized, authenticated or registered.
            let request = OpenIDParty.request(
                "nightlatch-console", ["redirect_uri": "https://login.example/console/signed-in"])
            #expect(try await browser.authorize(request).status == .badRequest)
            let app = AppRequest(
                App(id: .console, name: try #require(AppName(rawValue: "Console"))), replacing: nil,
                renewsSecret: false)
            await #expect(throws: AdministrationError.appChanged) {
                _ = try await Administration(of: party.store).put(app)
            }
        }
    }

    @Test("An app that an earlier version registered with the console's id gets no code")
    func registeredBefore() async throws {
        try await OpenIDParty.with(adminKey: .random()) { party in
            let app = App(
                id: .console, name: try #require(AppName(rawValue: "Old app")),
                redirectURIs: [try #require(RedirectURI(rawValue: OpenIDParty.redirect))])
            _ = try await party.store.putApp(app, replacing: nil, by: .operator)
            var browser = LoginBrowser(party)
            #expect(try await browser.authorize(OpenIDParty.request("nightlatch-console")).status == .badRequest)
        }
    }

    @Test("Another site cannot begin a sign-in")
    func foreignForm() async throws {
        try await OperatorParty.with { party in
            var browser = OperatorBrowser(party.caller)
            for origin in [[:], ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]] {
                browser.origin = origin
                let refused = try await browser.post("/console/sign-in/phone")
                #expect(refused.status == .forbidden && refused.headers[.setCookie] == nil, "\(origin)")
            }
        }
    }

    @Test("Without a login page in the process there is no button, and the admin key signs in")
    func noLoginPage() async throws {
        try await OperatorParty.with(hasLoginPage: false) { party in
            var browser = OperatorBrowser(party.caller)
            #expect(!(try await browser.get("/console/sign-in").text.contains("phone")))
            #expect(try await browser.post("/console/sign-in/phone").status == .notFound)
            #expect(try await browser.get("/console/signed-in?request=x").status == .notFound)
            let signedIn = try await browser.post("/console/sign-in", ["key": party.adminKey.rawValue])
            #expect(signedIn.status == .seeOther)
            #expect(try await browser.get("/console").text.contains("<span class=\"who\">admin key</span>"))
        }
    }

    @Test(
        "A session ends at the next request if its operator is removed, its device is blocked, or its user is deleted",
        arguments: ["removed", "blocked", "revoked", "deleted", "sessions ended"])
    func ends(cause: String) async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            #expect(try await browser.get("/console").status == .ok)
            let user = phone.user
            switch cause {
            case "removed":
                _ = try await party.store.changeOperator(.remove, of: user, keepingOwner: false, by: .operator)
            case "blocked": _ = try await party.store.change(phone.id, of: user, by: .operator, .block)
            case "revoked": _ = try await party.store.revoke(phone.id, of: user, by: .operator)
            case "deleted":
                let reason = try #require(AuditReason(rawValue: "ticket 4711"))
                _ = try await party.store.deleteUser(user, by: .operator, because: reason)
            default: _ = try await party.store.endJourneySessions(of: user, by: .operator)
            }
            #expect(try await browser.post("/console/users/export").asksToSignIn)
            #expect(try await browser.get("/console").asksToSignIn)
        }
    }

    @Test("Another role has an effect at the next request of a session, and the frame shows it")
    func otherRole() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            #expect(try await browser.get("/console/operators").status == .ok)
            try await party.set(.viewer, of: phone.user)
            let refused = try await browser.get("/console/operators")
            #expect(refused.status == .forbidden && refused.text.contains("Operator alice, viewer"))
            try await party.set(.owner, of: phone.user)
            #expect(try await browser.get("/console/operators").status == .ok)
        }
    }

    @Test("A session of a person cannot be changed into one of the admin key, or of another person")
    func changedCookie() async throws {
        try await OperatorParty.with { party in
            let phone = try await party.phone(of: Fixture.alice(), .viewer)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(phone)
            let value = try #require(browser.cookies[OperatorBrowser.console])
            var bytes = try #require(Base64URL.decode(value))
            #expect(bytes.count == 96)
            // Without the hash of the sign-in, with its own MAC; and with each byte changed.
            var changed = [Base64URL.encode(bytes.prefix(32) + bytes.suffix(32)), Base64URL.encode(bytes.prefix(64))]
            for index in stride(from: 0, to: bytes.count, by: 7) {
                bytes[index] ^= 1
                changed.append(Base64URL.encode(bytes))
                bytes[index] ^= 1
            }
            for text in changed {
                browser.cookies[OperatorBrowser.console] = text
                #expect(try await browser.get("/console").asksToSignIn)
            }
            browser.cookies[OperatorBrowser.console] = value
            #expect(try await browser.get("/console").status == .ok)
        }
    }

    @Test("Backends and passwords give no enrolment code for an operator, and an operator's page does")
    func codes() async throws {
        try await OperatorParty.with { party in
            let alice = try Fixture.alice()
            try await party.set(.owner, of: alice)
            let refused = try await party.caller.post(
                EnrolmentCodeRequest(user: alice), to: .enrolmentCodes, headers: party.caller.backendHeaders)
            try refused.expectProblem(.apiKeyScopeMissing, 403)
            #expect(try await party.store.userData(.enrolmentCodes, of: alice, after: nil, limit: 9).isEmpty)
            var browser = OperatorBrowser(party.caller)
            _ = try await browser.post("/console/sign-in", ["key": party.adminKey.rawValue])
            _ = try await browser.get("/console/operators")
            let page = try await browser.post("/console/operators/code", ["user": "alice"])
            let text = try #require(page.text.firstMatch(of: /<p><code>([^<]+)<\/code>/)).1
            #expect(page.status == .ok && EnrolmentCode(String(text)) != nil)
            let nobody = try await browser.post("/console/operators/code", ["user": "bob"])
            #expect(nobody.status == .notFound)
        }
    }
}
