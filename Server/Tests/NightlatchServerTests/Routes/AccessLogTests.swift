import HTTPTypes
import HummingbirdTesting
import Logging
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The access log")
struct AccessLogTests {
    private let log = KeptAccessLog()

    /// Makes requests of several kinds, and returns their answers.
    private func answers(_ accessLog: (any AccessLog)?, logger: Logger) async throws -> [TestResponse] {
        let responses = Responses()
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), setup: .live, logger: logger, accessLog: accessLog
        ) { caller in
            for (method, path) in [
                (HTTPRequest.Method.get, Route.liveness.path), (.get, "/v1/transactions/an-id"),
                (.get, "/nope?code=secret"),
                (.delete, Route.token.path), (.get, Route.devices.path + "/"),
            ] {
                await responses.add(try await caller.call(method, path))
            }
        }
        return await responses.all
    }

    private actor Responses {
        private(set) var all: [TestResponse] = []

        func add(_ response: TestResponse) { all.append(response) }
    }

    @Test("Each answered request is logged once, with its route's pattern, its status and the request id of its answer")
    func written() async throws {
        let events = KeptLog.Lines()
        let answers = try await answers(log, logger: Logger(label: "test") { _ in KeptLog(events) })
        #expect(!events.all.contains { $0.contains("Answered a request") })
        #expect(
            log.all.map(\.route) == [
                Route.liveness.path, "/v1/transactions/{transaction}", "other", Route.token.path, Route.devices.path,
            ])
        #expect(answers.map(\.status.code) == [200, 401, 404, 405, 401])
        #expect(log.all.map(\.status) == answers.map(\.status.code))
        let name = try #require(HTTPField.Name("X-Request-Id"))
        #expect(log.all.map(\.id) == answers.map { $0.headers[name] })
        #expect(Set(log.all.map(\.id)).count == log.all.count)
        #expect(log.all.allSatisfy { $0.duration > .zero })
    }

    @Test("Without another access log, each answered request is an event of the logger")
    func events() async throws {
        let kept = KeptLog.Lines()
        let answers = try await answers(nil, logger: Logger(label: "test") { _ in KeptLog(kept) })
        let lines = kept.all.filter { $0.hasPrefix("info Answered a request ") }
        let name = try #require(HTTPField.Name("X-Request-Id"))
        let ids = answers.map { $0.headers[name] ?? "" }
        try #require(lines.count == answers.count)
        for (line, (id, answer)) in zip(lines, zip(ids, answers)) {
            #expect(line.hasPrefix("info Answered a request hb.request.id=\(id) microseconds="))
            #expect(line.hasSuffix(" status=\(answer.status.code)"))
        }
        #expect(lines[0].contains(" route=/health/live ") && lines[2].contains(" route=other "))
        #expect(!kept.all.contains { $0.contains("secret") })
    }
}
