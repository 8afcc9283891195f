import Logging
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import ServiceLifecycle
import Synchronization
import Testing

/// A receiver that answers as a test says, and keeps what it got.
private final class ScriptedReceiver: WebhookTransport {
    struct Post: Sendable {
        let body: String
        let headers: [String: String]
    }

    private let state: Mutex<State>

    private struct State {
        var answers: [WebhookAnswer]
        var posts: [Post] = []
        var isClosed = false
    }

    /// Creates a receiver with these answers, and 200 after them.
    init(_ answers: WebhookAnswer...) { state = Mutex(State(answers: answers)) }

    /// Creates a receiver with one answer, and then the same answer `count` times.
    init(_ answer: WebhookAnswer, then other: WebhookAnswer, count: Int) {
        state = Mutex(State(answers: [answer] + Array(repeating: other, count: count)))
    }

    var posts: [Post] { state.withLock { $0.posts } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func post(_ body: [UInt8], to url: WebhookURL, headers: [(name: String, value: String)]) async -> WebhookAnswer {
        state.withLock { state in
            let headers = Dictionary(headers.map { ($0.name, $0.value) }) { $1 }
            state.posts.append(Post(body: String(decoding: body, as: UTF8.self), headers: headers))
            return state.answers.isEmpty ? .status(200) : state.answers.removeFirst()
        }
    }

    func close() async { state.withLock { $0.isClosed = true } }
}

@Suite("The delivery of events to webhooks")
struct WebhookServiceTests {
    private let store = MemoryRelyingPartyStore(clock: TestTime.clock)

    private func service(
        _ receiver: ScriptedReceiver, masterKey: MasterKey = TestWebhook.masterKey
    ) -> WebhookDeliveryService<MemoryRelyingPartyStore> {
        WebhookDeliveryService(
            store: store, masterKey: masterKey, transport: { receiver }, clock: TestTime.clock, jitter: { 1 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func deliver(
        _ webhook: Webhook, over receiver: ScriptedReceiver, masterKey: MasterKey = TestWebhook.masterKey
    ) async {
        await service(receiver, masterKey: masterKey).deliver(to: webhook.id, over: receiver)
    }

    @Test("A failed event is sent again after its wait, with the same id and body and a new time")
    func again() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        let receiver = ScriptedReceiver(.status(500), .none, .late, .status(302), .status(404))
        var time = Duration.zero
        for wait in [1, 2, 4, 8, 16] {
            try await TestTime.after(time) { await deliver(webhook, over: receiver) }
            time += .seconds(wait)
            try await TestTime.after(time - .seconds(1)) { await deliver(webhook, over: receiver) }
        }
        #expect(try await store.waiting(for: webhook).first?.failure == .refused)
        try await TestTime.after(time) { await deliver(webhook, over: receiver) }
        #expect(receiver.posts.count == 6)
        #expect(
            Set(receiver.posts.map(\.body)).count == 1
                && Set(receiver.posts.map { $0.headers["webhook-id"] }).count == 1)
        #expect(Set(receiver.posts.map { $0.headers["webhook-timestamp"] }).count == 6)
        #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures())
    }

    @Test("After the last attempt an event is a dead letter, and the next one is sent")
    func dead() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        for count in 1...2 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
        for attempt in 1...WebhookRetry.attemptLimit {
            let receiver = ScriptedReceiver(.status(400))
            try await TestTime.after(.seconds(attempt * 3600)) { await deliver(webhook, over: receiver) }
            let counts = receiver.posts.map { $0.body.contains("\"count\":2") }
            #expect(counts == (attempt == WebhookRetry.attemptLimit ? [false, true] : [false]))
        }
        #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures(dead: 1))
    }

    @Test("410 for a quarter of an hour pauses the webhook, and what it missed is sent after it is resumed")
    func gone() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        for count in 1...3 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
        let receiver = ScriptedReceiver(.status(200), then: .status(410), count: WebhookRetry.goneLimit)
        let hours = WebhookRetry.goneLimit - 1
        for hour in 0..<hours {
            try await TestTime.after(.seconds(hour * 3600)) { await deliver(webhook, over: receiver) }
            #expect(try await store.webhooks().first?.webhook.pause == nil)
        }
        try await TestTime.after(.seconds(hours * 3600)) { await deliver(webhook, over: receiver) }
        #expect(receiver.posts.count == 1 + WebhookRetry.goneLimit)
        let paused = try #require(try await store.webhooks().first)
        #expect(paused.webhook.pause == .gone)
        let event = try #require(try await store.auditEntries(of: nil, before: nil, limit: 1).first?.event)
        #expect(event == AuditEvent(.webhookPaused, of: webhook.id, by: .server))
        _ = try await store.putWebhook(webhook, replacing: paused.revision, by: .operator)
        try await TestTime.after(.seconds(hours * 3600 + 1)) { await deliver(webhook, over: receiver) }
        #expect(receiver.posts.count == 3 + WebhookRetry.goneLimit)
        #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures())
    }

    @Test("One answer of 410 between others pauses nothing")
    func goneOnce() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        for hour in 0...WebhookRetry.goneLimit * 2 {
            let receiver = ScriptedReceiver(.status(hour % 2 == 0 ? 410 : 500))
            try await TestTime.after(.seconds(hour * 3600)) { await deliver(webhook, over: receiver) }
            #expect(receiver.posts.count == 1)
        }
        #expect(try await store.webhooks().first?.webhook.pause == nil)
    }

    @Test("Without the master key of its secret an event waits, never dies of that, and is sent after a rotation")
    func otherMasterKey() async throws {
        let (webhook, other) = (try await store.newWebhook([.requestsRefused]), MasterKey.random())
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        let receiver = ScriptedReceiver()
        let minutes = WebhookRetry.attemptLimit + 1
        for minute in 0..<minutes {
            try await TestTime.after(.seconds(minute * 60)) { await deliver(webhook, over: receiver, masterKey: other) }
        }
        #expect(receiver.posts.isEmpty)
        let waiting = try #require(try await store.waiting(for: webhook).first)
        #expect(waiting.failure == .secretSealed && waiting.attempts == 0)
        // The previous secret is within its overlap, and does not open.
        let rotated = try #require(
            webhook.rotatingSecret(under: other, overlap: .seconds(24 * 60 * 60), at: TestTime.current)
        ).webhook
        _ = try await store.putWebhook(rotated, replacing: 1, by: .operator)
        try await TestTime.after(.seconds(minutes * 60)) { await deliver(webhook, over: receiver, masterKey: other) }
        #expect(receiver.posts.map { $0.headers["webhook-signature"]?.split(separator: " ").count } == [1])
    }

    @Test("The service delivers to each webhook until it is stopped, and then closes its transport")
    func run() async throws {
        let receiver = ScriptedReceiver()
        let webhooks = [try await store.newWebhook([.requestsRefused]), try await store.newWebhook([.requestsRefused])]
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        let service = service(receiver)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let end = ContinuousClock.now + .seconds(60)
            for webhook in webhooks {
                while try await !store.waiting(for: webhook).isEmpty {
                    try #require(ContinuousClock.now < end)
                    await Task.yield()
                }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(receiver.posts.count == 2 && receiver.isClosed)
    }
}
