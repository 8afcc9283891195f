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
        for attempt in 0..<WebhookRetry.attemptLimit {
            try await TestTime.after(.seconds(attempt * 3600)) {
                await deliver(webhook, over: ScriptedReceiver(.status(400)))
            }
        }
        #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures(dead: 1))
    }

    @Test("410 pauses the webhook, and what it missed is sent after it is resumed")
    func gone() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        for count in 1...3 { try await store.audit(AuditEvent(.requestsRefused, by: .server, count: count)) }
        let receiver = ScriptedReceiver(.status(200), .status(410))
        await deliver(webhook, over: receiver)
        #expect(receiver.posts.count == 2)
        let paused = try #require(try await store.webhooks().first)
        #expect(paused.webhook.pause == .gone)
        let event = try #require(try await store.auditEntries(of: nil, before: nil, limit: 1).first?.event)
        #expect(event == AuditEvent(.webhookPaused, of: webhook.id, by: .server))
        _ = try await store.putWebhook(webhook, replacing: paused.revision, by: .operator)
        try await TestTime.after(.seconds(1)) { await deliver(webhook, over: receiver) }
        #expect(receiver.posts.count == 4)
        #expect(try await store.webhookFigures(of: webhook.id) == WebhookFigures())
    }

    @Test("Without the master key of its secret, an event waits and is not sent")
    func otherMasterKey() async throws {
        let webhook = try await store.newWebhook([.requestsRefused])
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        let receiver = ScriptedReceiver()
        await deliver(webhook, over: receiver, masterKey: .random())
        #expect(receiver.posts.isEmpty)
        #expect(try await store.waiting(for: webhook).first?.failure == .secretSealed)
    }

    @Test("The service delivers to each webhook until it is stopped, and then closes its transport")
    func run() async throws {
        let receiver = ScriptedReceiver()
        let webhooks = [try await store.newWebhook([.requestsRefused]), try await store.newWebhook([.requestsRefused])]
        try await store.audit(AuditEvent(.requestsRefused, by: .server))
        let service = service(receiver)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            for webhook in webhooks {
                while try await !store.waiting(for: webhook).isEmpty { await Task.yield() }
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(receiver.posts.count == 2 && receiver.isClosed)
    }
}
