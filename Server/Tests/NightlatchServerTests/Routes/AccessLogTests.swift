import HTTPTypes
import HummingbirdTesting
import Logging
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("The access log")
struct AccessLogTests {
    private let log = KeptLog.Lines()

    /// Makes requests of several kinds, and returns their answers.
    private func answers() async throws -> [TestResponse] {
        let (responses, log) = (Responses(), log)
        try await TestRelyingParty.with(
            MemoryStore(clock: TestTime.clock), setup: .live, logger: Logger(label: "test") { _ in KeptLog(log) }
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
        let answers = try await answers()
        let answered = log.answered
        #expect(
            answered.map { $0["route"] } == [
                Route.liveness.path, "/v1/transactions/{transaction}", "other", Route.token.path, Route.devices.path,
            ])
        #expect(answers.map(\.status.code) == [200, 401, 404, 405, 401])
        #expect(answered.map { $0["status"] } == answers.map { "\($0.status.code)" })
        let name = try #require(HTTPField.Name("X-Request-Id"))
        #expect(answered.map { $0["hb.request.id"] } == answers.map { $0.headers[name] })
        #expect(Set(answered.map { $0["hb.request.id"] }).count == answered.count)
        #expect(answered.allSatisfy { ($0["microseconds"].flatMap(Int.init) ?? 0) > 0 })
    }

    @Test("Each answered request is an event of the logger, without what its sender wrote")
    func events() async throws {
        let answers = try await answers()
        let lines = log.all.filter { $0.hasPrefix("info Answered a request ") }
        let name = try #require(HTTPField.Name("X-Request-Id"))
        let ids = answers.map { $0.headers[name] ?? "" }
        try #require(lines.count == answers.count)
        for (line, (id, answer)) in zip(lines, zip(ids, answers)) {
            #expect(line.hasPrefix("info Answered a request hb.request.id=\(id) microseconds="))
            #expect(line.hasSuffix(" status=\(answer.status.code)"))
        }
        #expect(lines[0].contains(" route=/health/live ") && lines[2].contains(" route=other "))
        #expect(!log.all.contains { $0.contains("secret") })
    }
}
