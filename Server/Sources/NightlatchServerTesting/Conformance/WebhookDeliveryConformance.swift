import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Claims and results of deliveries to webhooks in every store.
package enum WebhookDeliveryConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Of one user’s events only the first is claimed; the next one after it was delivered") {
            store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for (count, user) in [alice, alice, bob, nil, alice, nil].enumerated() {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, user: user, count: count))
            }
            var turns: [[Int]] = []
            while let claim = try await store.claimDeliveries(of: webhook.id, limit: 9, lease: TestWebhook.lease),
                !claim.deliveries.isEmpty
            {
                #expect(claim.webhook.webhook == webhook)
                turns.append(try claim.deliveries.map { try #require($0.row.flatMap(AuditEntry.init)?.event.count) })
                #expect(try await store.claim(webhook).isEmpty, "claimed twice")
                #expect(claim.deliveries.allSatisfy { $0.delivery.attempts == 1 })
                for claimed in claim.deliveries {
                    #expect(try await store.finishDelivery(claimed.delivery, .delivered))
                }
            }
            #expect(turns == [[0, 2, 3], [1, 5], [4]])
            #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures())
        },

        StoreRequirement("A failed delivery waits, and its successors with it; other users’ do not") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for count in 0..<3 {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, user: alice, count: count))
            }
            let first = try #require(try await store.claim(webhook).first)
            #expect(try await store.finishDelivery(first.delivery, .failed(.failed, wait: .seconds(60))))
            try await store.audit(AuditEvent(.requestsRefused, by: .server, user: bob, count: 9))
            try await TestTime.after(.seconds(59)) { () async throws in
                #expect(try await store.deliverAll(webhook).map(\.count) == [9])
                #expect(try await store.dueWebhooks().isEmpty)
            }
            try await TestTime.after(.seconds(60)) { () async throws in
                #expect(try await store.dueWebhooks() == [webhook.id])
                let waiting = try #require(try await store.waiting(for: webhook).first)
                #expect(waiting.attempts == 1 && waiting.failure == .failed && waiting.diedAt == nil)
                #expect(try await store.deliverAll(webhook).map(\.count) == [0, 1, 2])
            }
        },

        StoreRequirement("A dead letter is kept and shown, and does not hold up its successors") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            for count in 0..<3 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
            let first = try #require(try await store.claim(webhook).first).delivery
            #expect(try await store.finishDelivery(first, .failed(.refused, wait: nil)))
            #expect(try await !store.finishDelivery(first, .failed(.refused, wait: .zero)))
            #expect(try await store.deliverAll(webhook).map(\.count) == [1, 2])
            let dead = try await store.deliveries(of: webhook.id, areDead: true, after: nil, limit: 9)
            #expect(dead.map(\.number) == [first.number] && dead[0].failure == .refused)
            #expect(dead[0].diedAt == TestTime.current && dead[0].place == first.place)
            #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures(dead: 1))
            try await TestTime.after(.seconds(89 * 24 * 60 * 60)) { try await store.purgeExpired() }
            #expect(try await store.webhookFigures(of: webhook.id).dead == 1)
            try await TestTime.after(.seconds(91 * 24 * 60 * 60)) { try await store.purgeExpired() }
            #expect(try await store.webhookFigures(of: webhook.id).dead == 0)
        },

        StoreRequirement("Dead letters are delivered again before later events, or deleted, one or all") { store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let other = try await store.newWebhook([.requestsRefused])
            for count in 0..<4 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
            for _ in 0..<3 {
                let claimed = try #require(try await store.claim(webhook).first)
                _ = try await store.finishDelivery(claimed.delivery, .failed(.refused, wait: nil))
            }
            func change(_ change: DeadLetterChange, _ number: Int? = nil, of id: WebhookID? = nil) async throws -> Int {
                try await store.changeDeadLetters(change, of: id ?? webhook.id, number: number, by: .operator)
            }
            let dead = try await store.deliveries(of: webhook.id, areDead: true, after: nil, limit: 9)
            #expect(
                try await store.deliveries(of: webhook.id, areDead: true, after: dead[0].number, limit: 1) == [dead[1]])
            #expect(try await change(.redeliver, dead[0].number, of: other.id) == 0)
            #expect(try await change(.discard, dead[1].number) == 1)
            #expect(try await change(.redeliver, dead[1].number) == 0)
            let waiting = try await store.waiting(for: webhook)
            #expect(try await change(.redeliver, waiting[0].number) == 0)
            #expect(try await change(.redeliver) == 2)
            #expect(try await store.deliverAll(webhook).map(\.count) == [0, 2, 3])
            #expect(try await change(.discard) == 0)
            let events = try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event)
            for event in [
                AuditEvent(.webhookRedelivered, of: webhook.id, count: 2, by: .operator),
                AuditEvent(.webhookDiscarded, of: webhook.id, count: 1, by: .operator),
            ] {
                #expect(events.count { $0 == event } == 1)
            }
            #expect(events.count { $0.kind == .webhookRedelivered || $0.kind == .webhookDiscarded } == 2)
        },

        StoreRequirement("After its lease a delivery is claimed again; a late failure has no effect, a success has") {
            store in
            let webhook = try await store.newWebhook([.requestsRefused])
            try await store.audit(AuditEvent(.requestsRefused, by: .server, count: 1))
            try await store.audit(AuditEvent(.requestsRefused, by: .server, count: 2))
            let lost = try #require(try await store.claim(webhook).first).delivery
            try await TestTime.after(.seconds(29)) { () async throws in
                #expect(try await store.claim(webhook).isEmpty)
            }
            try await TestTime.after(.seconds(30)) { () async throws in
                let again = try #require(try await store.claim(webhook).first).delivery
                #expect(again.number == lost.number && again.attempts == 2)
                #expect(try await !store.finishDelivery(lost, .failed(.timedOut, wait: nil)))
                #expect(try await !store.finishDelivery(lost, .failed(.timedOut, wait: .zero)))
                #expect(try await store.finishDelivery(lost, .delivered))
                #expect(try await !store.finishDelivery(again, .delivered))
                #expect(try await store.deliverAll(webhook).map(\.count) == [2])
            }
        },

        StoreRequirement("Callers who claim at the same time get different deliveries, and all are delivered") {
            store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let users = try (0..<40).map { try #require(UserID(rawValue: "user-\($0)")) }
            for count in 0..<3 {
                for user in users {
                    try await store.audit(AuditEvent(.requestsRefused, by: .server, user: user, count: count))
                }
            }
            let delivered = try await withThrowingTaskGroup(of: [AuditEntry].self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        var entries: [AuditEntry] = []
                        // Ends: the events are few, and each is claimed once.
                        while try await !store.waiting(for: webhook).isEmpty {
                            for claimed in try await store.claim(webhook, limit: 4) {
                                entries.append(try #require(claimed.row.flatMap(AuditEntry.init)))
                                #expect(try await store.finishDelivery(claimed.delivery, .delivered))
                            }
                        }
                        return entries
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let all = delivered.flatMap(\.self)
            #expect(all.count == 120 && Set(all).count == 120)
            // Each caller got the events of a user in their order.
            for entries in delivered {
                for user in users {
                    let counts = entries.filter { $0.event.user == user }.compactMap(\.event.count)
                    #expect(counts == counts.sorted())
                }
            }
        },

        StoreRequirement("Events of a deleted user are delivered under the pseudonym, also if one was claimed before") {
            store in
            let webhook = try await store.newWebhook()
            let alice = try Fixture.alice()
            _ = try await store.newCode(for: alice)
            _ = try await store.createTransaction(TestTransaction.new(user: alice))
            let claimed = try await store.claim(webhook).first { $0.row?.user == alice.rawValue }?.delivery
            let reason = try #require(AuditReason(rawValue: "ticket 4711"))
            guard case .deleted(let deletion) = try await store.deleteUser(alice, by: .operator, because: reason)
            else {
                Issue.record("not deleted")
                return
            }
            #expect(try await store.userData(.webhookDeliveries, of: alice, after: nil, limit: 9).isEmpty)
            let first = try #require(claimed)
            #expect(try await store.finishDelivery(first, .failed(.failed, wait: .seconds(1))))
            try await TestTime.after(.seconds(40)) { () async throws in
                let events = try await store.deliverAll(webhook).filter { $0.kind != .webhookAdded }
                #expect(events.map(\.kind) == [.enrolmentCodeCreated, .transactionCreated, .userDeleted])
                #expect(events.allSatisfy { $0.user == nil && $0.pseudonym == deletion.pseudonym })
            }
        },

        StoreRequirement("Events of many users are claimed in parts, also behind many that wait for one user") {
            store in
            let webhook = try await store.newWebhook([.requestsRefused])
            let (alice, bob) = (try Fixture.alice(), try Fixture.bob())
            for count in 0..<50 {
                try await store.audit(AuditEvent(.requestsRefused, by: .server, user: alice, count: count))
            }
            try await store.audit(AuditEvent(.requestsRefused, by: .server, user: bob, count: 99))
            let first = try #require(try await store.claim(webhook, limit: 1).first).delivery
            #expect(try await store.finishDelivery(first, .failed(.failed, wait: .seconds(600))))
            var delivered: [Int] = []
            // A claim looks at a part of the deliveries, so it may take several until all were looked at.
            for _ in 0..<40 {
                for claimed in try await store.claim(webhook, limit: 3) {
                    delivered.append(try #require(claimed.row.flatMap(AuditEntry.init)?.event.count))
                    #expect(try await store.finishDelivery(claimed.delivery, .delivered))
                }
            }
            #expect(delivered == [99])
            #expect(try await store.dueWebhooks().isEmpty)
            #expect(try await store.webhookFigures(of: webhook.id).waiting == 50)
        },
    ]
}
