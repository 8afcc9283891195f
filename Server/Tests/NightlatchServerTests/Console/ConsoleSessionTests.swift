import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Console sessions")
struct ConsoleSessionTests {
    @Test("Without an admin key there is no console")
    func off() async throws {
        try await TestRelyingParty.with(MemoryRelyingPartyStore(clock: TestTime.clock)) { caller in
            for path in ["/console", "/console/sign-in", "/console/style.css"] {
                let response = try await caller.call(.get, path)
                #expect(response.status == .notFound)
            }
        }
    }

    @Test("Without a session every page and every action redirects to the sign-in page and reveals nothing")
    func noSession() async throws {
        try await ConsoleBrowser.with { browser, _ in
            let paths = [
                "", "/users", "/user?id=alice", "/audit", "/policy", "/device/revoke?user=a&id=b", "/transaction?id=x",
            ]
            for path in paths {
                let response = try await browser.get("/console" + path)
                #expect(response.asksToSignIn && response.text.isEmpty, "\(path)")
            }
            for path in ["/sign-out", "/device/revoke", "/device/block", "/device/rename", "/transaction/void"] {
                #expect(try await browser.post("/console" + path).asksToSignIn, "\(path)")
            }
            #expect(try await browser.get("/console/sign-in").text.contains("<label for=\"key\">Admin key</label>"))
        }
    }

    @Test("The admin key signs in, and the cookie is limited to this host, to HTTP and to this site")
    func cookie() async throws {
        try await ConsoleBrowser.with { browser, key in
            let response = try await browser.post("/console/sign-in", ["key": " \(key.rawValue)\n"])
            let cookie = try #require(response.headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-nightlatch-console="))
            let attributes = Set(cookie.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } })
            #expect(attributes == ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"])
            #expect(!cookie.contains(key.rawValue))
        }
        let issuer = try #require(Issuer(rawValue: "http://127.0.0.1:8080"))
        try await ConsoleBrowser.with(configuration: RelyingPartyConfiguration(issuer: issuer)) { browser, key in
            let response = try await browser.post("/console/sign-in", ["key": key.rawValue])
            let cookie = try #require(response.headers[.setCookie])
            #expect(cookie.hasPrefix("nightlatch-console=") && !cookie.contains("Secure"))
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        }
    }

    @Test("A wrong method is refused on a page with the usual headers")
    func methods() async throws {
        try await ConsoleBrowser.with { browser, _ in
            let pages = [("/console", "GET, HEAD"), ("/console/users", "GET, HEAD"), ("/console/sign-out", "POST")]
            for (path, allowed) in pages {
                let response = try await browser.caller.call(.delete, path)
                #expect(response.status == .methodNotAllowed && response.headers[.allow] == allowed, "\(path)")
                #expect(response.headers[.contentType] == "text/html; charset=utf-8")
                #expect(response.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
            }
            let elsewhere = try await browser.caller.call(.delete, Route.devices.path)
            try elsewhere.expectProblem(.methodNotAllowed, 405)
        }
    }

    @Test("A wrong admin key does not sign in", arguments: ["", "short", AdminKey.random().rawValue, "<script>"])
    func wrongKey(text: String) async throws {
        try await ConsoleBrowser.with { browser, key in
            var fields = ["key": text]
            if text == "short" { fields["key"] = String(key.rawValue.dropLast()) }
            let response = try await browser.post("/console/sign-in", fields)
            #expect(response.status == .forbidden && response.headers[.setCookie] == nil)
            #expect(response.text.contains("The admin key is wrong") && !response.text.contains("<script>"))
            #expect(try await browser.get("/console").asksToSignIn)
        }
    }

    @Test("Attempts to sign in are limited for each address, including right ones, and existing sessions continue")
    func throttle() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits.consoleSignIns = RateLimit(count: 1, period: .seconds(100_000), burst: 3)
        try await ConsoleBrowser.with(configuration: configuration) { browser, key in
            try await browser.signIn(key)
            for _ in 0..<2 { #expect(try await browser.post("/console/sign-in", ["key": "x"]).status == .forbidden) }
            let response = try await browser.post("/console/sign-in", ["key": key.rawValue])
            #expect(response.status == .tooManyRequests && response.headers[.setCookie] == nil)
            #expect(response.headers[.retryAfter].flatMap(Int.init).map { $0 > 0 } == true)
            #expect(response.text.contains("Too many requests"))
            #expect(try await browser.get("/console").status == .ok)
        }
    }

    @Test("A form of another site does not sign in, even with the right key")
    func foreignSignIn() async throws {
        try await ConsoleBrowser.with { browser, key in
            for origin in [
                [:], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "none"],
                ["Origin": "https://evil.example"], ["Origin": "null"],
                ["Origin": "https://login.example", "Sec-Fetch-Site": "cross-site"],
            ] {
                browser.origin = origin
                let response = try await browser.post("/console/sign-in", ["key": key.rawValue])
                #expect(response.status == .forbidden && response.headers[.setCookie] == nil, "\(origin)")
            }
            browser.origin = ["Origin": "https://login.example"]
            try await browser.signIn(key)
        }
    }

    @Test("A session ends after a quarter of an hour without a request, and in any case after eight hours")
    func lives() async throws {
        try await ConsoleBrowser.with { browser, key in
            try await browser.signIn(key)
            let first = browser.cookie
            try await TestTime.after(.seconds(14 * 60)) {
                let response = try await browser.get("/console")
                #expect(response.status == .ok && browser.cookie != first)
            }
            // The first cookie is too old by now, and the renewed one is not.
            try await TestTime.after(.seconds(16 * 60)) {
                let later = browser.cookie
                browser.cookie = first
                let tooOld = try await browser.get("/console")
                #expect(tooOld.asksToSignIn)
                browser.cookie = later
                #expect(try await browser.get("/console").status == .ok)
            }
            for minutes in stride(from: 28, to: 480, by: 14) {
                try await TestTime.after(.seconds(minutes * 60)) {
                    let response = try await browser.get("/console")
                    #expect(response.status == .ok)
                }
            }
            try await TestTime.after(.seconds(480 * 60)) {
                let response = try await browser.get("/console")
                #expect(response.headers[.location] == "/console/sign-in?ended=1" && browser.cookie == nil)
                #expect(try await browser.get("/console/sign-in?ended=1").text.contains("Your session has ended"))
            }
        }
    }

    @Test("A request of an ended session has no effect")
    func expiredAction() async throws {
        try await ConsoleBrowser.signedIn { browser in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await browser.caller.bind(phone, to: alice)
            try await TestTime.after(.seconds(16 * 60)) {
                let response = try await browser.post("/console/device/revoke", ["user": "alice", "id": id.rawValue])
                #expect(response.asksToSignIn)
                let begun = try await browser.caller.logIn(phone, id: id, user: alice)
                #expect(begun.status == .ok, "\(begun.text)")
            }
        }
    }

    @Test("Signing out ends the session, also for an attacker with a copy of its cookie")
    func signOut() async throws {
        try await ConsoleBrowser.signedIn { browser in
            let copy = browser.cookie
            let response = try await browser.post("/console/sign-out")
            #expect(response.asksToSignIn && browser.cookie == nil)
            browser.cookie = copy
            #expect(try await browser.get("/console").asksToSignIn)
            browser.cookie = copy
            #expect(try await browser.post("/console/sign-out").asksToSignIn)
        }
    }

    @Test("A session signed out while the clock was ahead stays signed out once the clock is corrected")
    func signOutWhileAhead() async throws {
        try await ConsoleBrowser.signedIn { browser in
            let copy = browser.cookie
            try await TestTime.after(.seconds(24 * 3600)) {
                let response = try await browser.post("/console/sign-out")
                #expect(response.asksToSignIn && browser.cookie == nil)
            }
            browser.cookie = copy
            #expect(try await browser.get("/console").asksToSignIn)
        }
    }

    @Test("A session begun while the clock was ahead has ended once the clock is corrected")
    func begunWhileAhead() async throws {
        try await ConsoleBrowser.with { browser, key in
            try await TestTime.after(.seconds(24 * 3600)) { try await browser.signIn(key) }
            #expect(try await browser.get("/console").asksToSignIn)
        }
    }

    @Test("A refused form does not renew an ended session")
    func refusedFormOfOldSession() async throws {
        try await ConsoleBrowser.signedIn { browser in
            try await TestTime.after(.seconds(16 * 60)) {
                _ = try await browser.post("/console/sign-out", token: .some(nil))
                #expect(try await browser.get("/console").asksToSignIn)
            }
        }
    }

    @Test("Another admin key or another master key ends all sessions; the same keys keep them, in every process")
    func keys() async throws {
        let (masterKey, key) = (MasterKey.random(), AdminKey.random())
        let cookies = Cookies()
        try await ConsoleBrowser.with(masterKey: masterKey, adminKey: key) { browser, key in
            try await browser.signIn(key)
            await cookies.keep(browser.cookie)
        }
        for (otherMaster, otherKey, isGood) in [
            (masterKey, key, true), (masterKey, .random(), false), (.random(), key, false),
        ] {
            try await ConsoleBrowser.with(masterKey: otherMaster, adminKey: otherKey) { browser, _ in
                browser.cookie = await cookies.last
                let response = try await browser.get("/console")
                #expect(response.status == (isGood ? .ok : .seeOther))
            }
        }
    }

    private actor Cookies {
        private(set) var last: String?
        func keep(_ cookie: String?) { last = cookie }
    }

    @Test("A cookie with any changed part is refused")
    func changedCookie() async throws {
        try await ConsoleBrowser.signedIn { browser in
            let cookie = try #require(browser.cookie)
            let nameLength = "__Host-nightlatch-console=".count
            let (name, value) = (String(cookie.prefix(nameLength)), String(cookie.dropFirst(nameLength)))
            for index in stride(from: 0, to: value.count, by: 5) {
                var changed = Array(value)
                changed[index] = changed[index] == "A" ? "B" : "A"
                browser.cookie = name + String(changed)
                #expect(try await browser.get("/console").asksToSignIn, "\(index)")
            }
            for other in ["", "A", value + "A", String(value.dropLast())] {
                browser.cookie = name + other
                #expect(try await browser.get("/console").asksToSignIn)
            }
            browser.cookie = cookie
            #expect(try await browser.get("/console").status == .ok)
        }
    }

    @Test(
        """
        A session that was signed out is refused in every process that shares the store, also in one that starts later
        """)
    func signOutElsewhere() async throws {
        let (store, masterKey, adminKey) = (
            MemoryRelyingPartyStore(clock: TestTime.clock), MasterKey.random(), AdminKey.random()
        )
        try await ConsoleBrowser.with(store, masterKey: masterKey, adminKey: adminKey) { browser, key in
            try await browser.signIn(key)
            let copy = try #require(browser.cookie)
            try await browser.signIn(key)
            let other = try #require(browser.cookie)
            try await ConsoleBrowser.with(store, masterKey: masterKey, adminKey: adminKey) { second, _ in
                second.cookie = copy
                let page = try await second.get("/console")
                #expect(page.status == .ok)
                let signedOut = try await second.post("/console/sign-out")
                #expect(signedOut.asksToSignIn)
            }
            for _ in 0..<2 {
                browser.cookie = copy
                #expect(try await browser.get("/console").asksToSignIn)
            }
            browser.cookie = other
            #expect(try await browser.get("/console").status == .ok)
        }
        let events = try await store.auditEntries(of: nil, before: nil, limit: 20).map(\.event.kind)
        #expect(events.filter { $0 == .consoleSignedOut }.count == 1)
    }

    @Test("If the store cannot be written, signing out fails and the page says so")
    func signOutUnwritten() async throws {
        let (store, masterKey, adminKey) = (
            MemoryRelyingPartyStore(clock: TestTime.clock), MasterKey.random(), AdminKey.random()
        )
        try await ConsoleBrowser.with(store, masterKey: masterKey, adminKey: adminKey) { browser, key in
            try await browser.signIn(key)
            let cookie = browser.cookie
            let broken = BrokenStore(reading: store, failure: RelyingPartyStoreError(.unavailable))
            try await ConsoleBrowser.with(broken, masterKey: masterKey, adminKey: adminKey) { second, _ in
                second.cookie = cookie
                #expect(try await second.get("/console").status == .ok)
                let refused = try await second.post("/console/sign-out")
                #expect(refused.status == .serviceUnavailable && second.cookie == cookie)
            }
            #expect(try await browser.get("/console").status == .ok)
        }
    }
}
