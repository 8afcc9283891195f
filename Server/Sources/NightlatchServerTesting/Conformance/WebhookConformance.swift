import NightlatchRelyingParty
import NightlatchWire
import Testing

/// Webhooks, and the events that are added for them, in every store.
package enum WebhookConformance {
    package static let requirements: [StoreRequirement] = [
        StoreRequirement("Webhooks are added, changed and removed, each by one caller, and the log says so") { store in
            #expect(try await store.webhooks().isEmpty)
            var webhook = try TestWebhook.new([.loggedIn])
            let first = StoredWebhook(webhook: webhook, revision: 1)
            for _ in 0..<2 {
                #expect(try await store.putWebhook(webhook, replacing: nil, by: .operator) == .stored(first))
            }
            webhook.url = try TestWebhook.url("https://other.example/")
            #expect(try await store.putWebhook(webhook, replacing: nil, by: .operator) == .changed(first))
            let second = StoredWebhook(webhook: webhook, revision: 2)
            #expect(try await store.putWebhook(webhook, replacing: 1, by: .operator) == .stored(second))
            let changes: [(inout Webhook) throws -> Void] = [
                { $0.pause = .gone }, { $0.pause = nil }, { $0.secrets += $0.secrets },
            ]
            for (index, change) in changes.enumerated() {
                try change(&webhook)
                let outcome = try await store.putWebhook(webhook, replacing: 2 + index, by: .server)
                #expect(outcome == .stored(StoredWebhook(webhook: webhook, revision: 3 + index)))
            }
            #expect(try await store.webhooks().map(\.webhook) == [webhook])
            #expect(try await store.removeWebhook(webhook.id, by: .operator))
            #expect(try await !store.removeWebhook(webhook.id, by: .operator))
            #expect(try await store.webhooks().isEmpty)
            #expect(try await store.putWebhook(webhook, replacing: 5, by: .operator) == .changed(nil))
            let events = try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event)
            let kinds: Set<AuditEvent.Kind> = [
                .webhookAdded, .webhookChanged, .webhookPaused, .webhookResumed, .webhookSecretRotated, .webhookRemoved,
            ]
            #expect(events.count == 6 && Set(events.map(\.kind)) == kinds)
            #expect(events.allSatisfy { $0.webhook == webhook.id })
        },

        StoreRequirement("There are at most as many webhooks as the limit, in the order of their ids") { store in
            for _ in 0..<Webhook.countLimit { _ = try await store.newWebhook([]) }
            #expect(try await store.putWebhook(TestWebhook.new(), replacing: nil, by: .operator) == .tooMany)
            let ids = try await store.webhooks().map(\.webhook.id.rawValue)
            #expect(ids.count == Webhook.countLimit && ids == ids.sorted())
        },

        StoreRequirement("An event is added for each webhook that subscribes to its kind, and for no other") { store in
            let all = try await store.newWebhook()
            let logins = try await store.newWebhook([.loggedIn, .deviceRevoked])
            let none = try await store.newWebhook([])
            let alice = try Fixture.alice()
            let device = TestDevice()
            let id = try await store.bind(device, to: alice)
            _ = try await store.logIn(device, id: id, user: alice)
            _ = try await store.revoke(id, of: alice)
            let entries = try await store.auditEntries(of: nil, before: nil, limit: 100).map(\.event)
            #expect(try await store.deliverAll(logins).map(\.kind) == [.loggedIn, .deviceRevoked])
            #expect(try await store.deliverAll(none).isEmpty)
            let delivered = try await store.deliverAll(all)
            // Among them are those about itself and about the other webhooks.
            #expect(delivered.count == 7 && Set(delivered) == Set(entries))
            #expect(
                delivered.filter { $0.user == alice }.map(\.kind) == [
                    .enrolmentCodeCreated, .deviceBound, .loggedIn, .deviceRevoked,
                ])
            #expect(try await store.deliverAll(all).isEmpty)
        },

        StoreRequirement("A refused operation adds no delivery, and neither does a repeated one") { store in
            let alice = try Fixture.alice()
            let device = TestDevice()
            let id = try await store.bind(device, to: alice)
            let use = Fixture.use()
            let webhook = try await store.newWebhook([.loggedIn, .transactionCreated, .transactionVoided])
            _ = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
            let new = try TestTransaction.new(user: alice)
            for _ in 0..<2 {
                _ = try await store.createTransaction(new)
                _ = try await store.voidTransaction(new.id, by: .backend)
            }
            _ = try await store.recordLogin(device.login(id: id, user: alice), consuming: use)
            _ = try await store.recordLogin(device.login(id: .random(), user: alice), consuming: Fixture.use())
            let events = try await store.deliverAll(webhook).map(\.kind)
            #expect(events == [.loggedIn, .transactionCreated, .transactionVoided])
        },

        StoreRequirement("A change of the subscription applies to later events; those that wait stay") { store in
            var webhook = try await store.newWebhook([.requestsRefused])
            try await store.audit(AuditEvent(.requestsRefused, by: .server))
            webhook.kinds = [.listExported]
            _ = try await store.putWebhook(webhook, replacing: 1, by: .operator)
            try await store.audit(AuditEvent(.requestsRefused, by: .server))
            try await store.audit(AuditEvent(exported: .users, by: .operator))
            #expect(try await store.deliverAll(webhook).map(\.kind) == [.requestsRefused, .listExported])
        },

        StoreRequirement("A test is added for one webhook, whatever it subscribes to") { store in
            let webhooks = [try await store.newWebhook([]), try await store.newWebhook([.webhookTested])]
            for webhook in webhooks {
                #expect(try await store.testWebhook(webhook.id, by: .operator))
                #expect(try await store.waiting(for: webhook).count == 1)
            }
            let events = try await store.deliverAll(webhooks[1])
            #expect(events == [AuditEvent(.webhookTested, of: webhooks[1].id, by: .operator)])
            #expect(try await !store.testWebhook(.random(), by: .operator))
        },

        StoreRequirement("A paused webhook gets deliveries that are not claimed until it is resumed") { store in
            var webhook = try await store.newWebhook([.requestsRefused])
            webhook.pause = .byOperator
            _ = try await store.putWebhook(webhook, replacing: 1, by: .operator)
            try await store.audit(AuditEvent(.requestsRefused, by: .server))
            #expect(try await store.dueWebhooks().isEmpty)
            #expect(try await store.claim(webhook).isEmpty)
            webhook.pause = nil
            _ = try await store.putWebhook(webhook, replacing: 2, by: .operator)
            #expect(try await store.dueWebhooks() == [webhook.id])
            #expect(try await store.deliverAll(webhook).count == 1)
            #expect(try await store.dueWebhooks().isEmpty)
        },

        StoreRequirement("A removed webhook leaves no delivery behind, also among events that are added") { store in
            let (gone, kept) = (try await store.newWebhook([.requestsRefused]), try await store.newWebhook())
            _ = try await inParallel(20) {
                try await store.audit(AuditEvent(.requestsRefused, by: .server))
            }
            let claimed = try await store.claim(gone)
            #expect(claimed.count == 1)
            async let removal = store.removeWebhook(gone.id, by: .operator)
            _ = try await inParallel(20) {
                try await store.audit(AuditEvent(.requestsRefused, by: .server))
            }
            #expect(try await removal)
            try await store.purgeExpired()
            #expect(try await store.waiting(for: gone).isEmpty)
            #expect(try await !store.finishDelivery(claimed[0].delivery, .failed(.refused, wait: .zero)))
            #expect(try await store.waiting(for: kept).count == 42)
        },
    ]
}
