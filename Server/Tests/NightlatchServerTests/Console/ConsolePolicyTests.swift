import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Policies in the console")
struct ConsolePolicyTests {
    @Test("An operator sees who changed a policy and its revision, and changes and removes it")
    func story() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        let alice = try Fixture.alice()
        _ = try await store.newCode(for: alice)
        try await ConsoleBrowser.signedIn(store) { browser in
            #expect(try await browser.get("/console/policy").text.contains("/console/policy/of?app=nightlatch"))
            #expect(try await browser.get("/console/user?id=alice").text.contains("/console/policy/of?user=alice"))
            for (kind, id, subject) in [
                ("app", "nightlatch", PolicySubject.app(.default)), ("user", "alice", .user(alice)),
            ] {
                let address = "/console/policy/of?\(kind)=\(id)"
                let unset = try await browser.get(address).text
                #expect(unset.contains("<dd>none</dd>") && unset.contains("name=\"revision\" value=\"0\""))
                let set = try await browser.post(
                    "/console/policy/of",
                    [kind: id, "revision": "0", "pin_lengths": "6-8", "authenticators": "pin", "hardware": ""])
                #expect(set.headers[.location] == address + "&done=policy_changed")
                let stored = try await store.policies(of: subject.client, and: subject.user).first
                let revision = try #require(stored?.revision)
                let shown = try await browser.get(address).text
                #expect(shown.contains("<dd>6-8</dd>") && shown.contains("<dd>operator</dd>"))
                #expect(shown.contains("<dd>\(revision)</dd>") && shown.contains("value=\"6-8\""))

                let old = try await browser.post(
                    "/console/policy/of", [kind: id, "revision": "0", "pin_lengths": "12"])
                #expect(old.status == .unprocessableContent && old.text.contains("was changed since"))
                #expect(old.text.contains("value=\"12\""))
                let bad = try await browser.post(
                    "/console/policy/of", [kind: id, "revision": "\(revision)", "pin_lengths": "<b>"])
                #expect(bad.status == .unprocessableContent && bad.text.contains("“Digits of a PIN” must be"))
                #expect(bad.text.contains("value=\"&lt;b&gt;\""))
                #expect(try await store.policies(of: subject.client, and: subject.user) == [try #require(stored)])

                let removed = try await browser.post("/console/policy/of", [kind: id, "revision": "\(revision)"])
                #expect(removed.status == .seeOther)
                #expect(try await store.policies(of: subject.client, and: subject.user).first?.policy.isEmpty == true)
            }
            let audit = try await browser.get("/console/audit").text
            #expect(audit.contains("Policy changed") && audit.contains("authenticators, pin_lengths"))
        }
    }

    @Test("A page of no app or user, and a form without a revision, are refused")
    func refused() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            for address in ["/console/policy/of", "/console/policy/of?user=bob", "/console/policy/of?app=no%20app"] {
                let page = try await browser.get(address)
                #expect(page.status == .notFound, "\(address)")
            }
            #expect(try await browser.post("/console/policy/of", ["app": "nightlatch"]).status == .badRequest)
            let nobody = ["user": "bob", "revision": "0", "pin_lengths": "8"]
            #expect(try await browser.post("/console/policy/of", nobody).status == .notFound)
        }
    }
}
