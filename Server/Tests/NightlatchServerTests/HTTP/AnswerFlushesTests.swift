import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NightlatchServer
import Testing

@Suite("Flushing the answers of an event loop")
struct AnswerFlushesTests {
    private let loop = EmbeddedEventLoop()
    private let channels: [EmbeddedChannel]
    private let flushes: AnswerFlushes

    init() {
        let loop = loop
        channels = (0..<9).map { _ in EmbeddedChannel(loop: loop) }
        flushes = AnswerFlushes(on: loop)
    }

    private func answer(_ channels: some Sequence<EmbeddedChannel>) {
        for channel in channels {
            channel.write("answer", promise: nil)
            flushes.add(channel)
            flushes.markJob()
        }
    }

    /// Returns the number of channels to which something was sent since the last call.
    private func sentCount() throws -> Int {
        try channels.count { try $0.readOutbound(as: String.self) != nil }
    }

    @Test("Answers are sent once the waiting jobs have run, each time", arguments: [[1, 3, 7], [9, 2]])
    func end(counts: [Int]) throws {
        for count in counts {
            let answered = channels.prefix(count)
            loop.assumeIsolated().execute { answer(answered.prefix(1)) }
            loop.assumeIsolated().execute { answer(answered.dropFirst()) }
            #expect(try sentCount() == 0)
            loop.run()
            #expect(try sentCount() == count)
        }
    }

    @Test("Answers are sent after eight jobs at the latest, and later answers follow the same rule")
    func limit() throws {
        answer(channels)
        #expect(try sentCount() == 8)
        loop.run()
        #expect(try sentCount() == 1)
        answer(channels.prefix(1))
        for _ in 0..<6 { flushes.markJob() }
        #expect(try sentCount() == 0)
        flushes.markJob()
        #expect(try sentCount() == 1)
    }

    @Test("Jobs before the first waiting answer do not count")
    func jobsBefore() throws {
        for _ in 0..<20 { flushes.markJob() }
        answer(channels.prefix(1))
        #expect(try sentCount() == 0)
        loop.run()
        #expect(try sentCount() == 1)
    }

    @Test("All connections of an event loop share their flushes")
    func sharing() throws {
        let server = RequestChannel(responder: NoContent(), limits: RequestLimits(), idleTime: .seconds(30))
        func flushes(on loop: EmbeddedEventLoop) throws -> AnswerFlushes {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            return try server.setup(channel: EmbeddedChannel(loop: loop), logger: logger).wait().flushes.value
        }
        let first = try flushes(on: loop)
        #expect(try flushes(on: loop) === first)
        #expect(try flushes(on: EmbeddedEventLoop()) !== first)
    }
}

private struct NoContent: RequestResponder {
    func answer(to request: Request, _ context: RelyingPartyRequestContext) -> Response {
        Response(status: .noContent)
    }
}
