import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NightlatchServer
import Testing

@Suite("Answers that an event loop makes in one go")
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

    /// To how many channels something was sent since this was asked last.
    private func sentCount() throws -> Int {
        try channels.count { try $0.readOutbound(as: String.self) != nil }
    }

    @Test("are sent once the jobs have run that were there, each time anew", arguments: [[1, 3, 7], [9, 2]])
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

    @Test("are sent before that once eight jobs have run, answers or not, and those that follow later")
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

    @Test("wait for nothing that no answer waits with")
    func jobsBefore() throws {
        for _ in 0..<20 { flushes.markJob() }
        answer(channels.prefix(1))
        #expect(try sentCount() == 0)
        loop.run()
        #expect(try sentCount() == 1)
    }

    @Test("are those of the event loop, whichever of its connections they are for")
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
