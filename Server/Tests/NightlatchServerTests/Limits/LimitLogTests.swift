import HTTPTypes
import HummingbirdTesting
import Logging
import NightlatchRelyingParty
import NightlatchServer
import NightlatchServerTesting
import NightlatchWire
import Testing

@Suite("Refusals by limits in the log")
struct LimitLogTests {
    private let lines = KeptLog.Lines()

    private func withCaller(
        _ limits: RequestLimits,
        _ store: any RelyingPartyStore = MemoryRelyingPartyStore(clock: TestTime.clock),
        _ body: @escaping @Sendable (TestCaller) async throws -> Void
    ) async throws {
        var configuration = RelyingPartyConfiguration(issuer: try Fixture.issuer())
        configuration.limits = limits
        configuration.limits.answerDelay = .zero
        let lines = lines
        try await TestRelyingParty.with(
            store, setup: .live, adminKey: .random(), configuration: configuration,
            logger: Logger(label: "test") { _ in KeptLog(lines) }, body)
    }

    /// The log's lines about requests.
    private var told: [String] { lines.all.filter { $0.contains("efused ") } }

    @Test("A flood from one address has one line with a count, on any path, and no line for each request")
    func flood() async throws {
        var limits = RequestLimits()
        limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 3)
        try await withCaller(limits) { caller in
            for _ in 0..<3 {
                let status = try await caller.call(.post, Route.beginLogin.path).status
                #expect(status == .unsupportedMediaType)
            }
            let paths = ["/nope", Route.jwks.path, Route.token.path, Route.devices.path, "/console", "/console/nope"]
            for path in paths {
                for _ in 0..<5 {
                    let status = try await caller.call(.get, path).status
                    #expect(status == .tooManyRequests)
                }
            }
        }
        #expect(lines.answered.map { $0["status"] } == ["415", "415", "415"])
        let refused = Array(repeating: "info Refused a request code=unsupported_media_type", count: 3)
        #expect(told == refused + ["warning A limit refused requests cause=rate_limited count=30"])
    }

    @Test("Health requests beyond the limit are answered and have one line with a count", arguments: [false, true])
    func health(isStoreGone: Bool) async throws {
        var limits = RequestLimits()
        limits.perAddress = RateLimit(count: 1, period: .seconds(100_000), burst: 3)
        let path = isStoreGone ? Route.readiness.path : Route.liveness.path
        let store: any RelyingPartyStore =
            isStoreGone
            ? BrokenStore(
                reading: MemoryRelyingPartyStore(clock: TestTime.clock), failure: RelyingPartyStoreError(.unavailable))
            : MemoryRelyingPartyStore(clock: TestTime.clock)
        try await withCaller(limits, store) { caller in
            for _ in 0..<10 {
                let status = try await caller.call(.get, path).status.code
                #expect(status == (isStoreGone ? 503 : 200))
            }
        }
        #expect(lines.answered.count == 3)
        #expect(lines.all.filter { $0.hasPrefix("error The store does not answer") }.count == (isStoreGone ? 3 : 0))
        let counted = lines.all.filter { $0.hasPrefix("warning Answered") }
        #expect(counted == ["warning Answered requests without individual log lines cause=health count=7"])
    }

    @Test("Console sign-ins beyond their limit are counted in the same way")
    func console() async throws {
        var limits = RequestLimits()
        limits.consoleSignIns = RateLimit(count: 1, period: .seconds(100_000), burst: 1)
        try await withCaller(limits) { caller in
            let headers = [
                "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded",
            ]
            for status in [403, 429, 429] {
                let answer = try await caller.call(.post, "/console/sign-in", headers: headers, body: "key=wrong")
                #expect(answer.status.code == status)
                #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
            }
        }
        #expect(lines.answered.map { $0["status"] } == ["403"])
        #expect(
            told == [
                "warning Refused a sign-in to the console",
                "warning A limit refused requests cause=rate_limited count=2",
            ])
    }

    @Test("Requests refused by the limit on concurrent requests are counted under another cause")
    func overload() async throws {
        var limits = RequestLimits()
        limits.concurrentRequests = 0
        try await withCaller(limits) { caller in
            for _ in 0..<4 { try await caller.call(.post, Route.beginLogin.path).expectProblem(.unavailable, 503) }
        }
        #expect(lines.answered.isEmpty)
        #expect(told == ["warning A limit refused requests cause=overloaded count=4"])
    }
}
