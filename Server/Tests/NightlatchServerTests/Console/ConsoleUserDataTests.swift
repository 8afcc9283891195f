import Foundation
import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The export and the deletion of users in the console")
struct ConsoleUserDataTests {
    @Test("An operator downloads what the server keeps about a user")
    func export() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let user = try #require(UserID(rawValue: "alice \"b\"; x"))
        _ = try await store.newCode(for: user)
        try await ConsoleBrowser.signedIn(store) { browser in
            let page = try await browser.get(try #require(users.address(ofLink: "alice &quot;b&quot;; x")))
            #expect(page.status == .ok && page.text.contains("Everything that the server keeps"))
            let path = "/console/user/export?id=alice%20%22b%22%3B%20x"
            let file = try await browser.get(path)
            #expect(file.status == .ok && file.headers[.contentType] == "application/json")
            #expect(
                file.headers[try #require(.init("Content-Disposition"))]
                    == "attachment; filename=\"user-alice__b___x.json\"")
            #expect(file.headers[.cacheControl] == "no-store")
            let document = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            #expect((document?["enrolment_codes"] as? [Any])?.count == 1)
            #expect(try await browser.get("/console/user/export?id=nobody").status == .notFound)
            #expect(try await browser.get("/console/user/export").status == .notFound)
            browser.cookie = nil
            #expect(try await browser.get(path).status == .seeOther)
        }
    }

    @Test("A user with too much for a page is refused, with the command that exports it")
    func tooMuch() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        let long = try TestTransaction.details(
            lines: (0..<10).map { ("Line \($0)", String(repeating: "x", count: 60)) })
        for _ in 0..<4_500 {
            _ = try await store.createTransaction(
                TestTransaction.new(user: alice, details: long, pendingLimit: .max))
        }
        try await ConsoleBrowser.signedIn(store) { browser in
            let refused = try await browser.get("/console/user/export?id=alice")
            #expect(refused.status == .contentTooLarge && refused.text.contains("nightlatch admin users export"))
        }
    }

    @Test(
        "An operator deletes a user after entering the id again; tokens become inactive, and the log names the reason")
    func deletion() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let (alice, phone) = (try Fixture.alice(), TestDevice())
            let id = try await browser.caller.bind(phone, to: alice)
            let grant = try await browser.caller.logIn(phone, id: id, user: alice).message(TokenGrant.self)
            let token = grant.accessToken.rawValue
            #expect(try await browser.caller.introspect(token).json()["active"] == .bool(true))
            let form = try await browser.get("/console/user/delete?id=alice")
            #expect(form.status == .ok && form.text.contains("The user id again"), "\(form.text)")

            let wrong: [[String: String]] = [
                [:], ["confirm": "alice"], ["confirm": "Alice", "reason": "ticket 4711"],
                ["confirm": "alice", "reason": String(repeating: "x", count: 201)], ["reason": "ticket 4711"],
            ]
            for fields in wrong {
                let refused = try await browser.post(
                    "/console/user/delete", fields.merging(["id": "alice"]) { own, _ in own })
                #expect(refused.status.code == 422 && refused.text.contains("Nothing was deleted."))
                #expect(try await store.user(alice) != nil)
            }
            let unknown = try await browser.post(
                "/console/user/delete", ["id": "bob", "confirm": "bob", "reason": "ticket 4711"])
            #expect(unknown.status == .notFound)

            let done = try await browser.post(
                "/console/user/delete", ["id": "alice", "confirm": "alice", "reason": "ticket 4711"])
            #expect(done.status == .seeOther, "\(done.text)")
            let users = try await browser.get(try #require(done.headers[.location]))
            #expect(users.text.contains("The user was deleted.") && !users.text.contains(">alice<"))
            #expect(try await browser.get("/console/user?id=alice").status == .notFound)
            #expect(try await browser.get("/console/user/delete?id=alice").status == .notFound)
            #expect(try await browser.caller.introspect(token).json()["active"] == .bool(false))
            #expect(try await browser.caller.logIn(phone, id: id, user: alice).status != .ok)

            let audit = try await browser.get("/console/audit").text
            #expect(audit.contains("User deleted") && audit.contains("ticket 4711"))
            #expect(!audit.contains("alice") && audit.contains("device <code>\(id)</code>"), "\(audit)")
            let pseudonym = try #require(audit.firstMatch(of: /audit\?user=(deleted-[\w-]+)"/)).1
            let entries = try await browser.get("/console/audit?user=\(pseudonym)").text
            #expect(entries.contains("Device bound") && entries.contains("Logged in"))
        }
    }
}
