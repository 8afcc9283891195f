import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import NightlatchRelyingParty
import NightlatchServer
import Testing

@Suite("The limit on concurrent requests")
struct ConcurrencyLimitTests {
    @Test("A refused request takes no place, and a finished one frees its place, whatever its outcome")
    func places() throws {
        let limit = ConcurrencyLimit(1)
        let request = Request(
            head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
            body: RequestBody(buffer: ByteBuffer()))
        let context = RelyingPartyRequestContext(
            source: ApplicationRequestContextSource(
                channel: EmbeddedChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        let outcomes: [Result<Response, any Error>] = [.success(Response(status: .ok)), .failure(CancellationError())]
        for outcome in outcomes {
            try limit.enter(request, context)
            for _ in 0..<3 { #expect(throws: Refusal.overloaded) { try limit.enter(request, context) } }
            var outcome = outcome
            limit.leave(&outcome, context)
        }
        try limit.enter(request, context)
    }
}
