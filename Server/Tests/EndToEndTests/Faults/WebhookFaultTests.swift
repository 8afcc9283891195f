import Foundation
import NightlatchRelyingParty
import NightlatchWire
import Testing

@Suite("Webhooks of three servers over one database, under load", .timeLimit(.minutes(10)))
struct WebhookFaultTests {
    @Test(
        """
        While servers and the receiver are killed, no event is lost, none has its effect twice, and each user’s events \
        arrive in their order
        """,
        arguments: ServerFleet.Kind.allCases)
    func faults(kind: ServerFleet.Kind) async throws {
        try await ServerFleet.with(kind) { fleet in
            let receiver = try WebhookReceiver(in: fleet.folder.path + "/receiver", rate: 20)
            var keys: [String: [String]] = [:]
            for (path, signature) in [("/hmac", "hmac-sha256"), ("/ed", "ed25519")] {
                let webhook: AddedWebhook = try await AddedWebhook.command([
                    "add", "--url", receiver.url(path), "--plain-http", "--name", path, "--signature", signature,
                    "--database", fleet.databaseAddress, "--master-key-file", fleet.folder.path + "/0/master.key",
                    "--events", "all",
                ])
                keys[path] = [webhook.key]
            }
            try receiver.setKeys(keys)
            let before = Set(try await ids(in: fleet))
            try await FaultLoad.run(on: fleet) { load in
                // Each turn ends with a kill of the receiver; a server is killed and started again during the turn.
                for turn in 0..<4 {
                    try await receiver.run {
                        try await load.waitForLogins(10 + turn)
                        try await fleet.kill(turn % 3)
                        try await load.waitForLogins(5)
                        try await fleet.restart(turn % 3)
                        try await load.waitForLogins(5)
                    }
                }
            }
            try await receiver.run {
                try await WebhookReceiver.wait(for: "all deliveries", within: .seconds(240)) {
                    try await fleet.column("CAST(count(*) AS text)", of: "webhook_delivery") == ["0"]
                }
            }
            let events = Set(try await ids(in: fleet)).subtracting(before)
            #expect(events.count > 300)
            for path in keys.keys {
                let effects = try receiver.effects(at: path)
                #expect(Set(effects.map(\.id)).count == effects.count, "an effect was repeated")
                let got = Set(effects.map(\.id))
                #expect(events.isSubset(of: got), "lost: \(events.subtracting(got).count)")
                try checkOrder(of: effects)
            }
            #expect(try receiver.faults() == [])
        }
    }

    /// The ids of all events in the audit log.
    private func ids(in fleet: ServerFleet) async throws -> [String] {
        let places = zip(
            try await fleet.column("chain", of: "audit_entry ORDER BY chain, sequence"),
            try await fleet.column("CAST(sequence AS text)", of: "audit_entry ORDER BY chain, sequence"))
        return places.map { "evt_\($0)_\($1)" }
    }

    /// Checks what is known of the order of each user's events: their positions in a chain of the audit log, and that
    /// nothing ends before it begins. Each device of the load waits for one answer before its next step.
    private func checkOrder(of effects: [WebhookReceiver.Effect]) throws {
        for (_, own) in Dictionary(grouping: effects.filter { $0.event.data.user != nil }, by: \.event.data.user) {
            for (chain, entries) in Dictionary(grouping: own, by: { $0.id.split(separator: "_").dropLast().joined() }) {
                let numbers = try entries.map { try #require(Int($0.id.split(separator: "_").last ?? "")) }
                #expect(numbers == numbers.sorted(), "chain \(chain)")
            }
            func places(_ types: Set<String>, _ name: (WebhookReceiver.Effect.Facts) -> String?) -> [String: Int] {
                Dictionary(
                    own.enumerated().filter { types.contains($1.event.type) }
                        .compactMap { place, effect in name(effect.event.data).map { ($0, place) } }
                ) { first, _ in first }
            }
            let created = places(["transaction_created"], \.transaction)
            for (id, place) in places(["transaction_confirmed", "transaction_rejected"], \.transaction) {
                #expect(try #require(created[id]) < place)
            }
            let bound = places(["device_bound"], \.device)
            for (id, place) in places(["device_revoked", "logged_in"], \.device) {
                #expect(try #require(bound[id]) < place)
            }
        }
    }
}
