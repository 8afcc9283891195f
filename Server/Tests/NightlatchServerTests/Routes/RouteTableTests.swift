import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NightlatchRelyingParty
import NightlatchServer
import Synchronization
import Testing

@Suite("Steps and routes", .timeLimit(.minutes(1)))
struct RouteTableTests {
    /// Notes each request and answer that passes, and refuses or answers if it is set to.
    private struct Step: RouteStep {
        let name: String
        let journal: Journal
        var refuses = false
        var answers = false

        func enter(_ request: Request, _ context: RelyingPartyRequestContext) throws(Refusal) {
            journal.note("enter \(name)")
            if refuses { throw .overloaded }
        }

        func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
            switch outcome {
            case .success: journal.note("leave \(name)")
            case .failure:
                journal.note("refused \(name)")
                if answers { outcome = .success(Response(status: .serviceUnavailable)) }
            }
        }
    }

    private final class Journal: Sendable {
        private let entries = Mutex<[String]>([])

        var all: [String] { entries.withLock { $0 } }

        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    private func respond(
        _ table: RouteTable,
        _ method: HTTPRequest.Method,
        _ path: String,
        limitDelay: AnswerDelay = AnswerDelay(.zero)
    ) async throws -> Response {
        try await respond(responder(table, limitDelay), method, path)
    }

    private func responder(_ table: RouteTable, _ limitDelay: AnswerDelay) -> RouteResponder {
        table.buildResponder(
            logger: Self.logger, limitLog: LimitLog(logger: Self.logger), limitDelay: limitDelay)
    }

    private func respond(
        _ responder: RouteResponder,
        _ method: HTTPRequest.Method,
        _ path: String
    ) async throws -> Response {
        let channel = EmbeddedChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1))
        let context = RelyingPartyRequestContext(
            source: ApplicationRequestContextSource(channel: channel, logger: Self.logger))
        let request = Request(
            head: HTTPRequest(method: method, scheme: nil, authority: nil, path: path),
            body: RequestBody(buffer: ByteBuffer()))
        return try await responder.respond(to: request, context: context)
    }

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("A request passes the steps from the outermost one, and its answer passes them in reverse")
    func order() async throws {
        let journal = Journal()
        let table = RouteTable(Step(name: "first", journal: journal))
        table.root.passing(Step(name: "second", journal: journal)).group("/a").passing(
            Step(name: "third", journal: journal)
        ).on("/b", .get) { _, _ in
            journal.note("route")
            return Response(status: .noContent)
        }
        #expect(try await respond(table, .get, "/a/b").status == .noContent)
        #expect(
            journal.all == [
                "enter first", "enter second", "enter third", "route", "leave third", "leave second", "leave first",
            ])
    }

    @Test("A refusing step ends the request: later steps are not entered, and an earlier step makes the answer")
    func refusal() async throws {
        let journal = Journal()
        let table = RouteTable(Step(name: "first", journal: journal, answers: true))
        table.root.passing(Step(name: "second", journal: journal)).passing(
            Step(name: "third", journal: journal, refuses: true)
        ).passing(Step(name: "fourth", journal: journal)).on("/a", .get) { _, _ in
            journal.note("route")
            return Response(status: .ok)
        }
        #expect(try await respond(table, .get, "/a").status == .serviceUnavailable)
        #expect(journal.all == ["enter first", "enter second", "enter third", "refused second", "refused first"])
    }

    @Test("An error of a route is answered by the innermost step that can, and the outer steps see an answer")
    func throwing() async throws {
        struct Defect: Error {}
        let journal = Journal()
        let table = RouteTable(Step(name: "first", journal: journal, answers: true))
        table.root.passing(Step(name: "second", journal: journal, answers: true)).passing(
            Step(name: "third", journal: journal)
        ).on("/a", .get) { _, _ -> Response in throw Defect() }
        #expect(try await respond(table, .get, "/a").status == .serviceUnavailable)
        #expect(
            journal.all == [
                "enter first", "enter second", "enter third", "refused third", "refused second", "leave first",
            ])
    }

    @Test(
        "The answer to a request beyond an address's limit is delayed, and the request takes no place during the delay",
        arguments: [true, false])
    func answerDelay(isRefused: Bool) async throws {
        let (clock, journal) = (SteppedClock(), Journal())
        let table = RouteTable(Step(name: "first", journal: journal, answers: true))
        let bounded = table.root.passing(ConcurrencyLimit(1))
        if isRefused {
            bounded.on("/limited", .get) { _, _ -> Response in throw Refusal.rateLimited(retryAfter: .seconds(1)) }
        } else {
            let limit = TokenBuckets(RateLimit(count: 1, period: .seconds(100_000), burst: 1))
            bounded.limitingLines(by: AddressLimit(clientAddress: ClientAddress(trustedProxies: []), buckets: limit))
                .on("/limited", .get) { _, _ in Response(status: .serviceUnavailable) }
            _ = try await respond(table, .get, "/limited")
        }
        bounded.on("/other", .get) { _, _ in Response(status: .noContent) }
        let responder = responder(table, AnswerDelay(.milliseconds(100), by: clock))
        async let answer = {
            let answer = try await respond(responder, .get, "/limited")
            journal.note("answered")
            return answer
        }()
        try await clock.pass(.milliseconds(99))
        #expect(try await respond(responder, .get, "/other").status == .noContent)
        #expect(!journal.all.contains("answered"))
        try await clock.pass(.milliseconds(1))
        #expect(try await answer.status == .serviceUnavailable)
    }

    @Test("A request refused by the limit on concurrent requests is answered at once")
    func overloadIsAnsweredAtOnce() async throws {
        let table = RouteTable(Step(name: "first", journal: Journal(), answers: true))
        table.root.passing(ConcurrencyLimit(0)).on("/a", .get) { _, _ in Response(status: .ok) }
        // This clock never advances.
        let delay = AnswerDelay(.seconds(1), by: SteppedClock())
        #expect(try await respond(table, .get, "/a", limitDelay: delay).status == .serviceUnavailable)
    }

    @Test("Without a step that answers refusals there is still an answer")
    func unanswered() async throws {
        let table = RouteTable(Step(name: "first", journal: Journal()))
        table.root.on("/a", .get) { _, _ -> Response in throw Refusal.overloaded }
        #expect(try await respond(table, .get, "/a").status == .internalServerError)
    }

    @Test(
        "A route is found by any spelling of its path, also with a value in it, and by HEAD",
        arguments: ["/a/b", "/a/b/", "//a//b", "/a/b?c=d", "/v/1"])
    func paths(path: String) async throws {
        let table = RouteTable(Step(name: "first", journal: Journal()))
        table.root.on("/a/b", .get) { _, _ in Response(status: .noContent) }
        table.root.on("/v/{value}", .get) { _, context in
            #expect(context.parameters.get("value") == "1")
            return Response(status: .noContent)
        }
        #expect(try await respond(table, .get, path).status == .noContent)
        #expect(try await respond(table, .head, path).status == .noContent)
        #expect(table.methods == ["/a/b": [.get], "/v/{value}": [.get]])
    }

    @Test("A wrong method passes only the steps that are always passed")
    func otherMethods() async throws {
        let journal = Journal()
        let table = RouteTable(Step(name: "first", journal: journal, answers: true))
        let group = table.root.passingAlways(Step(name: "second", journal: journal)).passing(
            Step(name: "third", journal: journal))
        group.on("/a", .get) { _, _ in Response(status: .ok) }
        _ = try await respond(table, .post, "/a")
        #expect(journal.all == ["enter first", "enter second", "refused second", "refused first"])
    }

    @Test("An unknown path and a wrong method pass only the first step and the limit")
    func others() async throws {
        let journal = Journal()
        let table = RouteTable(
            Step(name: "first", journal: journal, answers: true),
            limitingOthersBy: Step(name: "limit", journal: journal))
        table.root.passing(Step(name: "second", journal: journal)).on("/a", .get) { _, _ in
            Response(status: .ok)
        }
        let passed = ["enter first", "enter limit", "refused limit", "refused first"]
        _ = try await respond(table, .get, "/b")
        #expect(journal.all == passed)
        _ = try await respond(table, .post, "/a")
        #expect(journal.all == passed + passed)
    }
}
