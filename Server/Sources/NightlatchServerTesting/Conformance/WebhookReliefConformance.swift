import NightlatchRelyingParty
import NightlatchWire
import Testing

/// What ends the waits of deliveries to webhooks in every store: corrected clocks, operators, and the purge.
package enum WebhookReliefConformance {
    private static let day = Duration.seconds(24 * 60 * 60)

    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Times that were written while the clock was ahead hold up nothing once it is corrected") {
            store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            func add(_ count: Int, _ user: UserID) async throws {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, user: user, count: count))
            }
            try await TestTime.setting(day * 365) { () async throws in
                for (count, user) in [alice, alice, bob].enumerated() { try await add(count, user) }
                let claimed = try await store.claim(webhook)
                #expect(claimed.count == 2)
                #expect(try await store.finishDelivery(claimed[0].delivery, .failed(.failed, wait: .seconds(60))))
            }
            try await add(3, alice)
            #expect(try await store.dueWebhooks() == [webhook.id])
            let events = try await store.deliverAll(webhook)
            #expect(events.filter { $0.user == alice }.map(\.count) == [0, 1, 3] && events.count == 4)
            #expect(try await store.dueWebhooks().isEmpty)
        },

        StoreRequirement("An attempt that sent nothing does not count") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            try await store.audit(AuditEvent(.requestsRefused, by: .server, count: 1))
            for failure in [WebhookFailure.secretSealed, .unreadable] {
                let claimed = try #require(try await store.claim(webhook).first).delivery
                #expect(claimed.attempts == 1)
                #expect(try await store.finishDelivery(claimed, .failed(failure, wait: .zero)))
                let waiting = try #require(try await store.waiting(for: webhook).first)
                #expect(waiting.attempts == 0 && waiting.failure == failure)
            }
            #expect(try await store.deliverAll(webhook).map(\.count) == [1])
        },

        StoreRequirement("An operator ends the wait of a delivery that holds up others, or deletes it") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            for count in 0..<3 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
            func change(_ change: DeadLetterChange, _ number: Int? = nil) async throws -> Int {
                try await store.changeDeadLetters(change, of: webhook.id, number: number, by: .operator)
            }
            let wait = WebhookResult.failed(.refused, wait: .seconds(3600))
            let first = try #require(try await store.claim(webhook).first).delivery
            #expect(try await store.finishDelivery(first, wait))
            #expect(try await store.claim(webhook).isEmpty)
            #expect(try await change(.redeliver) == 1)
            let again = try #require(try await store.claim(webhook).first).delivery
            #expect(again.number == first.number && again.attempts == 2)
            // It is in progress.
            #expect(try await change(.redeliver) == 0)
            #expect(try await store.finishDelivery(again, wait))
            #expect(try await change(.redeliver, first.number) == 1)
            #expect(try await change(.discard) == 0)
            #expect(try await change(.discard, first.number) == 1)
            #expect(try await !store.finishDelivery(again, .delivered))
            #expect(try await store.deliverAll(webhook).map(\.count) == [1, 2])
            let kinds = try await store.auditEntries(of: nil, before: nil, limit: 3).map(\.event.kind)
            #expect(kinds == [.webhookDiscarded, .webhookRedelivered, .webhookRedelivered])
        },

        StoreRequirement("A test waits for no other event, and for no other test") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            try await store.audit(AuditEvent(.requestsRefused, by: .server))
            for _ in 0..<3 {
                let claimed = try await store.claim(webhook)
                #expect(claimed.count == 1)
                for claim in claimed {
                    let wait = WebhookResult.failed(.refused, wait: .seconds(3600))
                    #expect(try await store.finishDelivery(claim.delivery, wait))
                }
                #expect(try await store.testWebhook(webhook.id, by: .operator))
            }
            #expect(try await store.deliverAll(webhook).map(\.kind) == [.webhookTested])
        },

        StoreRequirement("What waits for a paused webhook is deleted after 90 days, so it does not grow without end") {
            store in
            var webhook = try await store.newWebhook([.requestsRefused])
            try await store.audit(AuditEvent(.requestsRefused, by: .server, count: 1))
            webhook.pause = .byOperator
            _ = try await store.putWebhook(webhook, replacing: 1, by: .operator)
            try await TestTime.after(day * 2) { () async throws in
                try await store.audit(AuditEvent(.requestsRefused, by: .server, count: 2))
            }
            try await TestTime.after(day * 89) { try await store.purgeExpired() }
            #expect(try await store.waiting(for: webhook).count == 2)
            try await TestTime.after(day * 91) { try await store.purgeExpired() }
            #expect(try await store.waiting(for: webhook).count == 1)
        },
    ]
}
