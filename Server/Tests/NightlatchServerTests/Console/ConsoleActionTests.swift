import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Actions of operators in the console")
struct ConsoleActionTests {
    /// Returns the events of a user that an operator caused, newest first.
    private func operatorEvents(of user: UserID, in store: some RelyingPartyStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: user, before: nil, limit: 50).map(\.event).filter { $0.actor == .operator }
    }

    @Test(
        """
        An operator blocks, unblocks, renames and revokes a device; each change takes effect, and the audit log names \
        the operator
        """)
    func device() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await browser.caller.bind(phone, to: alice)
            let fields = ["user": "alice", "id": id.rawValue]
            let query = "?user=alice&id=\(id.rawValue)"

            func act(_ action: String, _ more: [String: String] = [:], saying message: String) async throws {
                #expect(try await browser.get("/console/device/\(action)\(query)").status == .ok)
                let done = try await browser.post(
                    "/console/device/\(action)", fields.merging(more) { own, _ in own })
                #expect(done.status == .seeOther, "\(done.text)")
                let address = try #require(done.headers[.location])
                #expect(address.hasPrefix("/console/device?user=alice&id=\(id.rawValue)&done="))
                let page = try await browser.get(address).text
                #expect(page.contains("<p class=\"message\" role=\"status\">\(message)</p>"), "\(page)")
            }
            func login() async throws -> HTTPResponse.Status {
                try await browser.caller.logIn(phone, id: id, user: alice).status
            }

            #expect(try await login() == .ok)
            try await act("block", saying: "The device was blocked, and its logins have ended.")
            #expect(try await login() != .ok)
            try await act("unblock", saying: "The device was unblocked. It can log in again.")
            #expect(try await login() == .ok)
            try await act("rename", ["name": "Old phone"], saying: "The device was renamed.")
            #expect(try await browser.get("/console/user?id=alice").text.contains(">Old phone</a>"))
            try await act("revoke", saying: "The device was revoked, and its logins have ended.")
            #expect(try await login() != .ok)

            #expect(
                try await operatorEvents(of: alice, in: store).map(\.kind)
                    == [.deviceRevoked, .deviceRenamed, .deviceUnblocked, .deviceBlocked])
            let audit = try await browser.get("/console/audit?user=alice").text
            #expect(
                audit.contains("Device revoked") && audit.contains("<td role=\"cell\" data-label=\"By\">operator</td>"))
            // A revoked device stays revoked, and the page explains why.
            let late = try await browser.post("/console/device/unblock", fields)
            #expect(late.status == .conflict && late.text.contains("cannot be undone"))
        }
    }

    @Test("An invalid device name changes nothing, and the form reports it")
    func badName() async throws {
        try await ConsoleBrowser.signedIn { browser in
            let id = try await browser.caller.bind(TestDevice(), to: Fixture.alice())
            for name in ["", "   ", String(repeating: "x", count: 65), "a\u{202E}b"] {
                let response = try await browser.post(
                    "/console/device/rename", ["user": "alice", "id": id.rawValue, "name": name])
                #expect(response.status.code == 422 && response.text.contains("aria-invalid=\"true\""))
            }
            #expect(try await browser.get("/console/user?id=alice").text.contains("Alice’s phone"))
        }
    }

    @Test("An operator withdraws a pending transaction once, and the audit log names the operator")
    func transaction() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let alice = try Fixture.alice()
            _ = try await browser.caller.bind(TestDevice(), to: alice)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
            let path = "/console/transaction?id=\(new.id.rawValue)"
            let page = try await browser.get(path).text
            #expect(page.contains("129.90 EUR to Night Train Ltd") && page.contains("Berth 7"))
            #expect(page.contains("/console/transaction/void?id="))
            #expect(try await browser.get("/console/transaction/void?id=\(new.id.rawValue)").status == .ok)
            let done = try await browser.post("/console/transaction/void", ["id": new.id.rawValue])
            #expect(done.headers[.location] == path + "&done=transaction_voided", "\(done.text)")
            #expect(try await store.transaction(new.id)?.state == .voided)
            #expect(try await browser.get(path).text.contains("<span class=\"state voided\">voided</span>"))
            #expect(
                try await operatorEvents(of: alice, in: store)
                    == [AuditEvent(.transactionVoided, by: .operator, user: alice, transaction: new.id)])
            // A transaction that has expired by then is not withdrawn.
            let late = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(late)
            try await TestTime.after(.seconds(601)) {
                let refused = try await browser.post("/console/transaction/void", ["id": late.id.rawValue])
                #expect(refused.status == .conflict && refused.text.contains("has ended already"))
            }
        }
    }

    @Test("An operator sees a user's journey keys and sessions, renames and removes a key, and ends the sessions")
    func journeys() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            let before = try await browser.get("/console/user?id=alice")
            #expect(before.status == .ok && !before.text.contains("journeys"))
            let device = try TestJourneys.device("a/b+c=&<i>", of: alice)
            _ = try await store.recordJourneyStep(TestJourneys.binding(device))
            let (byKey, byPassword) = (
                TestJourneys.session(of: alice, by: device.id), TestJourneys.session(of: alice)
            )
            for session in [byKey, byPassword] {
                _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), session: session))
            }
            let signing = JourneySigning(key: device.id, user: alice, claims: #"{"amount":"<b>100</b>"}"#)
            _ = try await store.recordJourneyStep(JourneyStep(use: TestJourneys.use(), signings: [signing]))

            let page = try await browser.get("/console/user?id=alice")
            #expect(page.text.contains("Keys of journeys") && page.text.contains("a/b+c=&amp;&lt;i&gt;</code>"))
            #expect(page.text.matches(of: /<th role="rowheader" scope="row">sign<\/th>/).count == 2)
            #expect(page.text.contains(">no key</td>"))
            let address = try #require(page.address(ofLink: device.name.rawValue))
            let id = "user=alice&id=a%2Fb%2Bc%3D%26%3Ci%3E"
            #expect(address == "/console/journey-key?" + id)
            #expect(try await browser.get(address).text.contains("com.example.app"))

            let fields = ["user": "alice", "id": device.id.rawValue]
            #expect(try await browser.get("/console/journey-key/rename?" + id).status == .ok)
            let bad = try await browser.post("/console/journey-key/rename", fields.merging(["name": " "]) { $1 })
            #expect(bad.status.code == 422)
            let renamed = try await browser.post(
                "/console/journey-key/rename", fields.merging(["name": "Old phone"]) { $1 })
            #expect(renamed.headers[.location] == "/console/journey-key?\(id)&done=journey_key_renamed")
            #expect(try await browser.get("/console/journey-key/remove?" + id).text.contains("Old phone"))
            let removed = try await browser.post("/console/journey-key/remove", fields)
            #expect(removed.headers[.location] == "/console/user?id=alice&done=journey_key_removed")
            #expect(try await store.journeySession(byKey.token) == nil)
            #expect(try await browser.get("/console/user/end-sessions?user=alice").text.contains("<dd>1</dd>"))
            let ended = try await browser.post("/console/user/end-sessions", ["user": "alice"])
            #expect(ended.headers[.location] == "/console/user?id=alice&done=journey_sessions_ended")
            #expect(try await store.journeySession(byPassword.token) == nil)
            #expect(try await browser.post("/console/journey-key/remove", fields).status == .notFound)
            #expect(
                try await operatorEvents(of: alice, in: store).map(\.kind) == [
                    .journeySessionsEnded, .journeyDeviceRemoved, .journeyDeviceRenamed,
                ])
            let audit = try await browser.get("/console/audit?user=alice").text
            #expect(audit.contains("key <code>a/b+c=&amp;&lt;i&gt;</code>"))
            #expect(audit.contains("{&quot;amount&quot;:&quot;&lt;b&gt;100&lt;/b&gt;&quot;}"))
        }
    }

    @Test("Signing in and out is recorded in the audit log")
    func signInAudit() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.with(store) { browser, key in
            _ = try await browser.post("/console/sign-in", ["key": "wrong"])
            try await browser.signIn(key)
            _ = try await browser.post("/console/sign-out")
        }
        let events = try await store.auditEntries(of: nil, before: nil, limit: 10).map(\.event)
        #expect(
            events.filter { $0.actor == .operator } == [
                AuditEvent(.consoleSignedOut, by: .operator), AuditEvent(.consoleSignedIn, by: .operator),
            ])
    }

    /// A form that does not come from the console.
    enum Forgery: CaseIterable {
        case noToken
        case foreignToken
        case otherSession
        case crossSite
        case sameSite
        case noOrigin
        case otherOrigin
    }

    @Test("A form without the session's token, or from another site, has no effect", arguments: Forgery.allCases)
    func forgery(_ forgery: Forgery) async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.with(store) { browser, key in
            var other = ConsoleBrowser(browser.caller)
            try await other.signIn(key)
            try await browser.signIn(key)
            let alice = try Fixture.alice()
            let id = try await browser.caller.bind(TestDevice(), to: alice)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
            let app = try TestApp.new("web")
            _ = try await store.putApp(app, replacing: nil, by: .backend)
            var token = browser.formToken
            switch forgery {
            case .noToken: token = nil
            case .foreignToken: token = Base64URL.encode([UInt8](repeating: 7, count: 32))
            case .otherSession: token = other.formToken
            case .crossSite: browser.origin = ["Sec-Fetch-Site": "cross-site"]
            case .sameSite: browser.origin = ["Sec-Fetch-Site": "same-site"]
            case .noOrigin: browser.origin = [:]
            case .otherOrigin: browser.origin = ["Origin": "https://login.example.evil.example"]
            }
            let device = ["user": "alice", "id": id.rawValue]
            for (path, fields) in [
                ("device/revoke", device), ("device/block", device), ("device/unblock", device),
                ("device/rename", device.merging(["name": "Mine"]) { own, _ in own }),
                ("transaction/void", ["id": new.id.rawValue]), ("sign-out", [:]),
                ("apps/add", ["id": "new", "client_name": "New"]), ("app/remove", ["id": "web"]),
                ("app/change", ["id": "web", "client_name": "Evil", "revision": "1"]),
            ] {
                let response = try await browser.post("/console/" + path, fields, token: .some(token))
                #expect(response.status == .forbidden, "\(path)")
                #expect(response.text.contains("nothing was changed"))
            }
            #expect(try await operatorEvents(of: alice, in: store).isEmpty)
            #expect(try await store.device(id, of: alice)?.stop == nil)
            #expect(try await store.transaction(new.id)?.state == .pending)
            #expect(try await store.apps() == [StoredApp(app: app, revision: 1)])
            // No session was signed out either.
            #expect(try await browser.get("/console").status == .ok)
        }
    }
}
