import HTTPTypes
import HummingbirdTesting
import NightlatchServer
import NightlatchWire
import Testing

@Suite("What operators do in the console")
struct ConsoleActionTests {
    /// The events of a user that an operator has made, newest first.
    private func operatorEvents(of user: UserID, in store: some RelyingPartyStore) async throws -> [AuditEvent] {
        try await store.auditEntries(of: user, before: nil, limit: 50).map(\.event).filter { $0.actor == .operator }
    }

    @Test(
        "RP7: an operator blocks, unblocks, renames and revokes a device, each has its effect, and the audit says who did it"
    )
    func device() async throws {
        let store = MemoryStore(clock: TestTime.clock)
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
            // What was revoked stays so, and the page says why.
            let late = try await browser.post("/console/device/unblock", fields)
            #expect(late.status == .conflict && late.text.contains("cannot be undone"))
        }
    }

    @Test("RP7: a name that no device can have changes nothing, and the form says so")
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

    @Test("RP7: an operator takes a pending transaction back, once, and the audit says who did it")
    func transaction() async throws {
        let store = MemoryStore(clock: TestTime.clock)
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
            // One that has expired meanwhile is not taken back.
            let late = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(late)
            try await TestTime.after(.seconds(601)) {
                let refused = try await browser.post("/console/transaction/void", ["id": late.id.rawValue])
                #expect(refused.status == .conflict && refused.text.contains("has ended already"))
            }
        }
    }

    @Test("RP8: signing in and out stand in the audit log")
    func signInAudit() async throws {
        let store = MemoryStore(clock: TestTime.clock)
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

    /// A way in which a form is not the console's own.
    enum Forgery: CaseIterable {
        case noToken
        case foreignToken
        case otherSession
        case crossSite
        case sameSite
        case noOrigin
        case otherOrigin
    }

    @Test(
        "RP8: a form without the session's own token, or from another site, does nothing", arguments: Forgery.allCases)
    func forgery(_ forgery: Forgery) async throws {
        let store = MemoryStore(clock: TestTime.clock)
        try await ConsoleBrowser.with(store) { browser, key in
            var other = ConsoleBrowser(browser.caller)
            try await other.signIn(key)
            try await browser.signIn(key)
            let alice = try Fixture.alice()
            let id = try await browser.caller.bind(TestDevice(), to: alice)
            let new = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(new)
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
            ] {
                let response = try await browser.post("/console/" + path, fields, token: .some(token))
                #expect(response.status == .forbidden, "\(path)")
                #expect(response.text.contains("nothing was changed"))
            }
            #expect(try await operatorEvents(of: alice, in: store).isEmpty)
            #expect(try await store.device(id, of: alice)?.bar == nil)
            #expect(try await store.transaction(new.id)?.state == .pending)
            // Nor was anybody signed out.
            #expect(try await browser.get("/console").status == .ok)
        }
    }
}
