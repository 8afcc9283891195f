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
            let page = try await browser.get("/console/user?id=alice%20%22b%22%3B%20x")
            #expect(page.status == .ok && page.text.contains("Everything that the server keeps"))
            let file = try await browser.post("/console/user/export", ["id": user.rawValue])
            #expect(file.status == .ok && file.headers[.contentType] == "application/json")
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"user-alice__b___x.json\"")
            #expect(file.headers[.cacheControl] == "no-store")
            let document = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            #expect((document?["enrolment_codes"] as? [Any])?.count == 1)
            #expect(try await browser.post("/console/user/export", ["id": "nobody"]).status == .notFound)
            #expect(try await browser.post("/console/user/export").status == .notFound)
            let foreign = try await browser.post(
                "/console/user/export", ["id": user.rawValue], token: .some(nil))
            #expect(foreign.status == .forbidden)
            let kinds = try await store.auditEntries(of: user, before: nil, limit: 9).map(\.event.kind)
            #expect(kinds == [.userExported, .enrolmentCodeCreated])
        }
    }

    @Test("A document of many parts arrives whole over a connection")
    func parts() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let (alice, key) = (try Fixture.alice(), AdminKey.random())
        _ = try await store.newCode(for: alice)
        for _ in 0..<500 {
            _ = try await store.createTransaction(TestTransaction.new(user: alice, pendingLimit: .max))
        }
        try await TestRelyingParty.with(store, setup: .live, adminKey: key) { caller in
            var browser = ConsoleBrowser(caller)
            try await browser.signIn(key)
            try await browser.get("/console/user?id=alice")
            let file = try await browser.post("/console/user/export", ["id": "alice"])
            #expect(file.text.utf8.count > 200_000)
            let document = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            #expect((document?["transactions"] as? [Any])?.count == 500)
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
            let transaction = try TestTransaction.new(user: alice)
            _ = try await store.createTransaction(transaction)
            let link = "/console/transaction?id=\(transaction.id)"
            #expect(try await browser.get("/console/audit").text.contains(link))
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
            #expect(audit.contains("transaction <code>\(transaction.id)</code>") && !audit.contains(link))
            let pseudonym = try #require(audit.firstMatch(of: /audit\?user=(deleted-[\w-]+)"/)).1
            let entries = try await browser.get("/console/audit?user=\(pseudonym)").text
            #expect(entries.contains("Device bound") && entries.contains("Logged in"))
        }
    }
}
