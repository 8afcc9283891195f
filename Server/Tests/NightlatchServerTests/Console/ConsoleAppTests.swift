import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Apps in the console")
struct ConsoleAppTests {
    /// The fields that the form for a new app has.
    private static let form = [
        "id": "web", "client_name": "Web", "token_endpoint_auth_method": "none", "jwks": "",
        "redirect_uris": "https://app.example/callback\r\n\r\n com.example.app:/callback ",
        "post_logout_redirect_uris": "", "scope": "openid email", "device_policy": "", "access_token_seconds": "300",
        "refresh_token_seconds": "0",
    ]

    private static func form(_ changes: [String: String?]) -> [String: String] {
        form.merging(changes.compactMapValues(\.self)) { $1 }.filter { changes[$0.key] != .some(nil) }
    }

    @Test("An operator registers, changes and removes an app", arguments: StoreKind.allCases)
    func story(kind: StoreKind) async throws {
        try await kind.with { store in
            try await ConsoleBrowser.signedIn(store) { browser in
                #expect(try await browser.get("/console/apps").text.contains("No app is registered."))
                let form = try await browser.get("/console/apps/add").text
                #expect(form.contains("value=\"openid profile email phone offline_access\""))
                let registered = try await browser.post(
                    "/console/apps/add", Self.form(["binds_devices": "true", "device_policy": "one"]))
                #expect(registered.headers[.location] == "/console/app?id=web&done=app_registered")
                let stored = try #require(try await store.apps().first)
                #expect(stored.revision == 1 && stored.app.bindsDevices && stored.app.devicePolicy == .one)
                #expect(
                    stored.app.redirectURIs.map(\.rawValue) == [
                        "https://app.example/callback", "com.example.app:/callback",
                    ])
                #expect(stored.app.refreshTokenLife == nil && stored.app.scopes.map(\.rawValue) == ["openid", "email"])
                #expect(try await browser.get("/console/apps").text.contains("<code>web</code>"))
                let change = try await browser.get("/console/app/change?id=web").text
                #expect(change.contains("https://app.example/callback\ncom.example.app:/callback</textarea>"))
                #expect(change.contains("name=\"revision\" value=\"1\""))

                // Boxes that are not checked are not in the form.
                let changed = try await browser.post(
                    "/console/app/change", Self.form(["revision": "1", "client_name": "Other"]))
                #expect(changed.headers[.location] == "/console/app?id=web&done=app_changed")
                let app = try #require(try await store.apps().first?.app)
                #expect(app.name.rawValue == "Other" && !app.bindsDevices && app.devicePolicy == nil)

                #expect(try await browser.get("/console/app/remove?id=web").text.contains("Remove this app?"))
                let removed = try await browser.post("/console/app/remove", ["id": "web"])
                #expect(removed.headers[.location] == "/console/apps?done=app_removed")
                #expect(try await store.apps() == [])
                #expect(try await browser.post("/console/app/remove", ["id": "web"]).status == .notFound)
                for page in ["app", "app/change", "app/remove"] {
                    #expect(try await browser.get("/console/\(page)?id=web").status == .notFound)
                }
                let events = try await store.auditEntries(of: nil, before: nil, limit: 20).map(\.event)
                    .filter { $0.client != nil }
                #expect(Set(events.map(\.kind)) == [.appRegistered, .appChanged, .appRemoved])
                #expect(events.allSatisfy { $0.actor == .operator })
                #expect(try await browser.get("/console/audit").text.contains("app <code>web</code>"))
            }
        }
    }

    @Test("A secret is shown on the page that makes it, and on no other")
    func secret() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let confidential = Self.form(["token_endpoint_auth_method": "client_secret_basic"])
            func secret(_ response: TestResponse) throws -> AppSecret {
                #expect(response.status == .ok && response.headers[.cacheControl] == "no-store")
                let found = try #require(response.text.firstMatch(of: /<code>([A-Za-z0-9_-]{43})<\/code>/))
                return try #require(AppSecret(rawValue: String(found.1)))
            }
            let first = try secret(try await browser.post("/console/apps/add", confidential))
            #expect(try await store.apps().first?.app.authentication == .secret(first.hash))
            // A reload sends the form again.
            #expect(try await browser.post("/console/apps/add", confidential).status == .unprocessableContent)
            for page in ["/console/app?id=web", "/console/app/change?id=web", "/console/apps", "/console/audit"] {
                let text = try await browser.get(page).text
                #expect(!text.contains(first.rawValue) && !text.contains(Base64URL.encode(first.hash.bytes)))
            }
            let kept = try await browser.post("/console/app/change", confidential.merging(["revision": "1"]) { $1 })
            #expect(kept.headers[.location] == "/console/app?id=web&done=app_changed")
            #expect(try await store.apps().first?.app.authentication == .secret(first.hash))
            let second = try secret(
                try await browser.post(
                    "/console/app/change", confidential.merging(["revision": "2", "new_secret": "true"]) { $1 }))
            #expect(second != first)
            #expect(try await store.apps().first?.app.authentication == .secret(second.hash))
        }
    }

    @Test("A form with a mistake is shown again with what was typed, and says what is wrong")
    func mistakes() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            try await browser.get("/console/apps/add")
            for (change, problem) in [
                (["id": "a b"], "App id must be 1 to 64 characters"),
                (["client_name": " "], "Name must be 1 to 64 characters"),
                (
                    ["redirect_uris": "https://a.example http://b.example"],
                    "“http://b.example” in redirect_uris must be"
                ),
                (["post_logout_redirect_uris": "<b>"], "“&lt;b&gt;” in post_logout_redirect_uris must be"),
                (["scope": "openid \u{E9}"], "scope must be 1 to 64 printable"),
                (["access_token_seconds": "5 minutes"], "access_token_seconds must be a whole number."),
                (["access_token_seconds": "1"], "The app must have access_token_seconds from 30 to 3600."),
                (["refresh_token_seconds": "1"], "The app must have refresh_token_seconds of 0"),
                (["device_policy": "few"], "device_policy must be many, one, or empty"),
                (["token_endpoint_auth_method": "private_key_jwt"], "jwks is missing."),
                (["jwks": "{\"keys\":[]}"], "jwks is only for an app that authenticates with keys."),
                (
                    ["token_endpoint_auth_method": "private_key_jwt", "jwks": "{\"keys\":[{}]}"],
                    "jwks: keys[0].kty is missing."
                ),
                (["token_endpoint_auth_method": "private_key_jwt", "jwks": "x"], "jwks is not JSON at byte 0."),
            ] as [([String: String], String)] {
                let response = try await browser.post("/console/apps/add", Self.form.merging(change) { $1 })
                #expect(response.status == .unprocessableContent)
                #expect(response.text.contains(problem), "\(problem): \(response.text)")
                #expect(response.text.contains("openid") && response.text.contains("Register app"))
            }
            #expect(try await store.apps() == [])
        }
    }

    @Test("Of two operators who change an app, the second keeps the typed texts and is told of the first")
    func conflict() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            _ = try await store.putApp(try TestApp.new("web"), replacing: nil, by: .operator)
            try await browser.get("/console/app/change?id=web")
            let first = try TestApp.full("web")
            _ = try await store.putApp(first, replacing: 1, by: .operator)
            let late = try await browser.post(
                "/console/app/change", Self.form(["revision": "1", "client_name": "Typed"]))
            #expect(late.status == .unprocessableContent)
            #expect(late.text.contains("was changed or removed since it was read") && late.text.contains("Typed"))
            #expect(try await store.apps() == [StoredApp(app: first, revision: 2)])
            for revision in [nil, "", "x"] as [String?] {
                let bad = try await browser.post("/console/app/change", Self.form(["revision": revision]))
                #expect(bad.status == .badRequest)
            }
        }
    }
}
