import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Operators in the console")
struct ConsoleOperatorTests {
    @Test("An owner adds an operator, who binds a phone with the code and signs in, changes and removes them")
    func story() async throws {
        try await OperatorParty.with { party in
            let owner = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(owner)
            #expect(try await browser.get("/console/operators/add").text.contains("<h1>Add an operator</h1>"))
            let form = ["is_new": "1", "user": "carol", "name": "Carol C.", "role": "viewer"]
            let added = try await browser.post("/console/operators/add", form)
            #expect(added.status == .ok && added.heading == "Bind a phone", "\(added.text)")
            let text = try #require(added.text.firstMatch(of: /<p><code>([^<]+)<\/code>/)).1
            #expect(EnrolmentCode(String(text)) != nil)
            let carol = try #require(UserID(rawValue: "carol"))
            let list = try await browser.get("/console/operators").text
            #expect(list.contains("Carol C.") && !list.contains(text))

            let change = ["user": "carol", "name": "Carol D.", "role": "support", "reason": "ticket 1"]
            let changed = try await browser.post("/console/operators/change", change)
            #expect(changed.headers[.location] == "/console/operators?done=operator_changed")
            let current = try #require(try await party.store.operatorRecord(of: carol))
            #expect(current.role == .support && current.name.rawValue == "Carol D.")
            let removal = try await browser.post(
                "/console/operators/remove", ["user": "carol", "reason": "ticket 2"])
            #expect(removal.headers[.location] == "/console/operators?done=operator_removed")
            #expect(try await party.store.operatorRecord(of: carol) == nil)
            for (kind, reason) in [
                (AuditEvent.Kind.operatorAdded, nil), (.operatorChanged, "ticket 1"), (.operatorRemoved, "ticket 2"),
            ] {
                let event = try #require(try await party.events(kind).first)
                #expect(event.actor.name?.rawValue == "Operator alice" && event.user == carol)
                #expect(event.reason?.rawValue == reason)
            }
        }
    }

    @Test("Input that is no operator is explained on the form, and the last owner stays")
    func refused() async throws {
        try await OperatorParty.with { party in
            let owner = try await party.phone(of: Fixture.alice(), .owner)
            var browser = OperatorBrowser(party.caller)
            try await browser.signIn(owner)
            _ = try await browser.get("/console/operators")
            let good = ["is_new": "1", "user": "bob", "name": "Bob", "role": "viewer"]
            for (field, value, text) in [
                ("user", "", "User must be"), ("name", "", "Name must be"), ("name", "Operator alice", "has this name"),
                ("user", "alice", "is an operator already, with the role owner"),
            ] {
                let refused = try await browser.post("/console/operators/add", good.merging([field: value]) { $1 })
                #expect(refused.status == .unprocessableContent && refused.text.contains(text), "\(refused.text)")
            }
            let badRole = try await browser.post("/console/operators/add", good.merging(["role": "god"]) { $1 })
            #expect(badRole.status == .badRequest)
            #expect(try await party.store.operators().count == 1)

            let lower = ["user": "alice", "name": "Operator alice", "role": "viewer", "reason": "x"]
            let demoted = try await browser.post("/console/operators/change", lower)
            #expect(demoted.status == .unprocessableContent && demoted.text.contains("the only owner"))
            let removed = try await browser.post("/console/operators/remove", ["user": "alice", "reason": "x"])
            #expect(removed.status == .conflict && removed.text.contains("the only owner"))
            #expect(try await party.store.operatorRecord(of: owner.user)?.role == .owner)
            let nobody = try await browser.post("/console/operators/remove", ["user": "bob", "reason": "x"])
            #expect(nobody.status == .notFound)
        }
    }
}
