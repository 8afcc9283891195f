import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchSQLite
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The console's pages")
struct ConsolePageTests {
    private static let script = "<script>alert('1')</script>\"&"
    private static let escapedScript = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;"

    /// Makes a user with a device and a transaction that have hostile names, and returns the paths of all pages about
    /// them.
    private func paths(_ browser: inout ConsoleBrowser, _ store: MemoryRelyingPartyStore) async throws -> [String] {
        let alice = try Fixture.alice()
        let device = try await browser.caller.bind(TestDevice(), to: alice)
        let name = try #require(DeviceName(rawValue: Self.script))
        _ = try await store.change(device, of: alice, by: .user, .rename(name))
        var profile = UserProfile()
        profile.name = PersonName(rawValue: Self.script)
        _ = try await store.setProfile(profile, of: alice, replacing: .any, by: .user)
        let new = try TestTransaction.new(
            user: alice,
            details: TestTransaction.details(payee: Self.script, lines: [(Self.script, Self.script)]))
        _ = try await store.createTransaction(new)
        let id = "user=alice&id=\(device.rawValue)"
        var app = try TestApp.new("web")
        app.name = try #require(AppName(rawValue: Self.script))
        _ = try await store.putApp(app, replacing: nil, by: .operator)
        var webhook = try TestWebhook.new()
        webhook.name = try #require(WebhookName(rawValue: Self.script))
        _ = try await store.putWebhook(webhook, replacing: nil, by: .operator)
        return [
            "/console", "/console/users", "/console/users?prefix=al", "/console/user?id=alice", "/console/device?\(id)",
            "/console/device/block?\(id)", "/console/device/unblock?\(id)", "/console/device/revoke?\(id)",
            "/console/device/rename?\(id)", "/console/transaction?id=\(new.id.rawValue)",
            "/console/transaction/void?id=\(new.id.rawValue)", "/console/audit", "/console/audit?user=alice",
            "/console/policy", "/console/policy/of?app=nightlatch", "/console/policy/of?user=alice", "/console/apps",
            "/console/apps/add", "/console/app?id=web", "/console/app/change?id=web",
            "/console/app/remove?id=web", "/console/webhooks", "/console/webhook?id=\(webhook.id)", "/console/nothing",
        ]
    }

    @Test("Every answer of the console has headers that forbid scripts, framing, sniffing and caching")
    func headers() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let paths = try await paths(&browser, store)
            let referrerPolicy = try #require(HTTPField.Name("Referrer-Policy"))
            for path in paths + ["/console/sign-in", "/console/user?id=nobody", "/console/user?id=%zz"] {
                let response = try await browser.get(path)
                #expect(
                    response.headers[.contentSecurityPolicy]
                        == "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
                    "\(path)")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.headers[referrerPolicy] == "no-referrer")
                #expect(response.headers[.cacheControl] == "no-store")
                #expect(response.headers[.contentType] == "text/html; charset=utf-8")
                #expect(response.text.wholeMatch(of: /(?s).*(<script| style=|<style| on[a-z]+=|javascript:).*/) == nil)
            }
            let refused = try await browser.post("/console/device/revoke", token: .some(nil))
            #expect(refused.headers[.contentSecurityPolicy] != nil)
        }
    }

    @Test("Names chosen by users and apps are shown as text, never as markup")
    func escaping() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let paths = try await paths(&browser, store)
            for path in paths where !path.hasSuffix("nothing") {
                let response = try await browser.get(path)
                #expect(response.status == .ok, "\(path) \(response.text)")
                #expect(!response.text.contains("<script"))
            }
            for path in [paths[3], paths[4], paths[7], paths[8], paths[9], paths[10]]
                + paths.filter({ $0.hasSuffix("id=web") })
            {
                #expect(try await browser.get(path).text.contains(Self.escapedScript), "\(path)")
            }
            let search = try await browser.get("/console/users?prefix=%22%3E%3Cscript%3E")
            #expect(search.text.contains("value=\"&quot;&gt;&lt;script&gt;\"") && !search.text.contains("<script"))
        }
    }

    @Test(
        "A character joined with another one is escaped as if it were alone",
        arguments: ["\u{600}", "\u{D4E}", "\u{301}", "\u{200D}", "\u{FE0F}"])
    func joinedSigns(mark: String) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let paths = try await paths(&browser, store)
            let alice = try Fixture.alice()
            let device = try #require(try await store.devices(of: alice).first)
            let name = "\(mark)<i\(mark)>\(mark)\"\(mark)'\(mark)&\(mark)"
            _ = try await store.change(
                device.id, of: alice, by: .user, .rename(try #require(DeviceName(rawValue: name))))
            let escaped = "\(mark)&lt;i\(mark)&gt;\(mark)&quot;\(mark)&#39;\(mark)&amp;\(mark)"
            for path in [paths[3], paths[4], paths[7], paths[8]] {
                // Compared byte by byte, as a browser parses it.
                let page = Array(try await browser.get(path).text.utf8)
                #expect(page.firstRange(of: Array(escaped.utf8)) != nil, "\(path)")
                #expect(page.firstRange(of: Array("<i".utf8) + Array(mark.utf8)) == nil, "\(path)")
            }
        }
    }

    @Test("The style sheet needs no sign-in, and its address changes with its content")
    func style() async throws {
        try await ConsoleBrowser.with { browser, _ in
            let address = try #require(try await browser.get("/console/sign-in").styleAddress)
            #expect(address.hasPrefix("/console/style.css?v="))
            let sheet = try await browser.get(address)
            #expect(sheet.headers[.contentType] == "text/css; charset=utf-8" && sheet.text.contains(".skip"))
            #expect(sheet.headers[.cacheControl]?.contains("immutable") == true)
        }
    }

    @Test("Users are found by the prefix of their id, page by page, each once")
    func users() async throws {
        try await ConsoleBrowser.signedIn { browser in
            for number in 100..<220 {
                _ = try await browser.caller.code(for: try #require(UserID(rawValue: "user+\(number)@example")))
            }
            _ = try await browser.caller.code(for: try Fixture.bob())
            var found: [String] = []
            var address: String? = "/console/users?prefix=user%2B"
            while let current = address {
                let page = try await browser.get(current)
                found += page.rowHeads
                address = page.address(ofLink: "Next users")
                #expect(found.count <= 120)
            }
            #expect(found == (100..<220).map { "user+\($0)@example" })
            #expect(
                try await browser.get("/console/users?prefix=nobody").text.contains("No user id begins with “nobody”."))
            #expect(try await browser.get("/console/users?prefix=bob").text.contains("/console/user?id=bob"))
        }
    }

    @Test("The audit log of all or of one user is shown newest first, page by page, each entry once")
    func audit() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for _ in 0..<70 { _ = try await browser.caller.code(for: Fixture.alice()) }
            for _ in 0..<60 { _ = try await browser.caller.code(for: Fixture.bob()) }
            // Two more: the signing key that the server made, and the sign-in.
            for (path, lengths) in [("/console/audit?user=alice", [50, 20]), ("/console/audit", [50, 50, 32])] {
                var counts: [Int] = []
                var address: String? = path
                while let current = address, counts.count < 9 {
                    let page = try await browser.get(current)
                    counts.append(page.rowHeads.count)
                    address = page.address(ofLink: "Older events")
                }
                #expect(counts == lengths)
            }
            for bad in [
                "user=%07", "before=x", "before=1.2.3", "before=1.0.\(String(repeating: "A", count: 22))",
            ] {
                let status = try await browser.get("/console/audit?" + bad).status
                #expect(status == .badRequest || status == .notFound)
            }
        }
    }

    @Test("A user's page shows the profile, and the log shows the members that changed")
    func profile() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            _ = try await browser.caller.code(for: Fixture.alice())
            #expect(try await !browser.get("/console/user?id=alice").text.contains("<dt>email</dt>"))
            _ = try await store.setProfile(
                try TestProfile.full(), of: Fixture.alice(), replacing: .absent, by: .operator)
            let page = try await browser.get("/console/user?id=alice").text
            for fact in [
                "<dt>name</dt><dd>Alice Ó Example</dd>", "<dt>email</dt><dd>alice@example.com</dd>",
                "<dt>email_verified</dt><dd>true</dd>", "<dt>phone_number</dt><dd>+43 1 234-56</dd>",
                "email, email_verified, family_name, given_name, name, phone_number",
            ] { #expect(page.contains(fact), "\(fact)") }
        }
    }

    @Test("A missing page has a message and the right status")
    func notFound() async throws {
        try await ConsoleBrowser.signedIn { browser in
            _ = try await browser.caller.bind(TestDevice(), to: Fixture.alice())
            for path in [
                "user?id=nobody", "user", "user?id=%00", "device?user=alice&id=\(String(repeating: "0", count: 32))",
                "device?user=nobody&id=x", "transaction?id=\(String(repeating: "0", count: 32))", "nothing", "user/x/y",
            ] {
                let response = try await browser.get("/console/" + path)
                #expect(response.status == .notFound && response.text.contains("<h1>Not found</h1>"), "\(path)")
            }
            #expect(try await browser.get("/console/user?id=a&id=b").status == .badRequest)
            #expect(try await browser.get("/console/user?id=%zz").status == .badRequest)
        }
    }

    @Test("If the store cannot be written, pages are shown with a notice, and actions are refused")
    func unavailable() async throws {
        try await TemporaryFolder.with { folder in
            let (masterKey, adminKey) = (MasterKey.random(), AdminKey.random())
            let good = try SQLiteStore(path: folder + "/store.sqlite", clock: TestTime.clock)
            try await ConsoleBrowser.with(good, masterKey: masterKey, adminKey: adminKey) { browser, key in
                let id = try await browser.caller.bind(TestDevice(), to: Fixture.alice())
                try await browser.signIn(key)
                let cookie = browser.cookie
                let broken = BrokenStore(reading: good, failure: RelyingPartyStoreError(.unavailable))
                try await ConsoleBrowser.with(broken, masterKey: masterKey, adminKey: adminKey) { browser, key in
                    let signIn = try await browser.post("/console/sign-in", ["key": key.rawValue])
                    #expect(signIn.status == .serviceUnavailable && signIn.headers[.retryAfter] == "1")
                    #expect(signIn.headers[.setCookie] == nil && signIn.text.contains("Try again later"))
                    browser.cookie = cookie
                    let overview = try await browser.get("/console")
                    #expect(overview.status == .ok && overview.text.contains(">unavailable</span>"))
                    let fields = ["user": "alice", "id": id.rawValue]
                    let revoking = try await browser.post("/console/device/revoke", fields)
                    #expect(revoking.status == .serviceUnavailable && revoking.text.contains("Not available now"))
                }
                #expect(try await good.device(id, of: Fixture.alice())?.stop == nil)
            }
        }
    }

    @Test("The policy page shows the settings that the server was started with")
    func policy() async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.accessTokenLife = .seconds(7 * 60)
        configuration.devicePolicy = .one
        configuration.limits.trustedProxies = ["10.0.0.0/8", "2001:db8::1", "192.0.2.7"].compactMap(AddressRange.init)
        try await ConsoleBrowser.with(configuration: configuration) { browser, key in
            try await browser.signIn(key)
            let page = try await browser.get("/console/policy").text
            #expect(page.contains("one; the next binding replaces it"))
            #expect(
                page.contains("valid for 7 minutes") && page.contains("10.0.0.0/8, 2001:db8:0:0:0:0:0:1, 192.0.2.7"))
            #expect(page.contains("<a href=\"/console/policy\" aria-current=\"page\">Policy</a>"))
        }
    }

    @Test("Behind a proxy that removes a path prefix, all addresses have that prefix")
    func proxiedPath() async throws {
        let issuer = try #require(Issuer(rawValue: "https://example.org/login"))
        try await ConsoleBrowser.with(configuration: RelyingPartyConfiguration(issuer: issuer)) { browser, key in
            let response = try await browser.post("/console/sign-in", ["key": key.rawValue])
            #expect(response.headers[.location] == "/login/console")
            let page = try await browser.get("/console/user?id=nobody").text
            let addresses = page.split(separator: " ").filter { $0.hasPrefix("href=") || $0.hasPrefix("action=") }
            #expect(addresses.count > 6)
            for address in addresses where !address.hasPrefix("href=\"#") {
                #expect(address.contains("=\"/login/console"), "\(address)")
            }
        }
    }
}
