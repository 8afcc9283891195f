import HTTPTypes
import HummingbirdTesting
import NightlatchRelyingParty
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Webhooks in the console")
struct ConsoleWebhookTests {
    @Test("An operator sees the webhooks and their dead letters, has these delivered again, pauses and resumes")
    func story() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        var webhook = try await store.newWebhook([.requestsRefused])
        let id = webhook.id.rawValue
        for count in 1...3 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
        for failure in [WebhookFailure.refused, .timedOut] {
            let claimed = try #require(try await store.claim(webhook).first)
            _ = try await store.finishDelivery(claimed.delivery, .failed(failure, wait: nil))
        }
        // The server of the console also delivers, and must not do so here.
        webhook.pause = .byOperator
        _ = try await store.putWebhook(webhook, replacing: 1, by: .operator)
        let box = webhook.secrets[0].box
        try await ConsoleBrowser.signedIn(store) { browser in
            let list = try await browser.get("/console/webhooks").text
            #expect(list.contains("<code>https://shop.example/events</code>") && list.contains("paused"))
            #expect(list.contains("data-label=\"Waiting\">1<") && list.contains("data-label=\"Dead letters\">2<"))
            let page = try await browser.get("/console/webhook?id=\(id)").text
            #expect(page.contains(">refused_4xx<") && page.contains(">timed_out<"))
            #expect(page.contains("Requests refused") && !page.contains(box))
            let redelivered = try await browser.post("/console/webhook/redeliver", ["id": id])
            #expect(redelivered.headers[.location] == "/console/webhook?id=\(id)&done=redelivered")
            let figures = try await store.webhookFigures(of: try #require(WebhookID(rawValue: id)))
            #expect(figures.dead == 0 && figures.waiting == 3)
            let after = try await browser.get("/console/webhook?id=\(id)").text
            #expect(!after.contains("<button>Redeliver</button>"))

            let resumed = try await browser.post("/console/webhook/resume", ["id": id])
            #expect(resumed.headers[.location] == "/console/webhook?id=\(id)&done=webhook_resumed")
            #expect(try await store.webhooks().first?.webhook.pause == nil)
            #expect(try await browser.get("/console/webhook?id=\(id)").text.contains("<button>Pause</button>"))
            let paused = try await browser.post("/console/webhook/pause", ["id": id])
            #expect(paused.headers[.location] == "/console/webhook?id=\(id)&done=webhook_paused")
            #expect(try await store.webhooks().first?.webhook.pause == .byOperator)
            let kinds = try await store.auditEntries(of: nil, before: nil, limit: 3).map(\.event.kind)
            #expect(kinds == [.webhookPaused, .webhookResumed, .webhookRedelivered])
        }
    }

    @Test("Without webhooks the list says how to add one")
    func none() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let page = try await browser.get("/console/webhooks").text
            #expect(page.contains("There are no webhooks."))
        }
    }

    @Test("An unknown webhook is not found, and a form of another site changes nothing")
    func refusals() async throws {
        let store = MemoryRelyingPartyStore(clock: TestTime.clock)
        try await ConsoleBrowser.signedIn(store) { browser in
            let webhook = try await store.newWebhook([.requestsRefused])
            for id in [WebhookID.random().rawValue, "x", ""] {
                #expect(try await browser.get("/console/webhook?id=\(id)").status == .notFound)
                for action in ["redeliver", "pause", "resume"] {
                    let answer = try await browser.post("/console/webhook/\(action)", ["id": id])
                    #expect(answer.status == .notFound)
                }
            }
            try await browser.get("/console/webhook?id=\(webhook.id)")
            let forged = try await browser.post(
                "/console/webhook/pause", ["id": webhook.id.rawValue], token: .some("forged"))
            #expect(forged.status == .forbidden)
            #expect(try await store.webhooks().first?.webhook.pause == nil)
        }
    }
}
