import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NightlatchServer

/// A connection in memory, in a time that passes when a test says so, to a server that answers as a path asks: `/slow` once the test
/// lets it, `/204` and `/304` with that status, any other at once.
struct TestConnection: Sendable {
    let channel: NIOAsyncTestingChannel
    private let wire: NIOLoopBound<HeldWire>
    private let gate: AsyncStream<Void>.Continuation

    /// Runs `body` with a connection that has been answered once, and checks that its task ends with it.
    static func with(
        idleTime: Duration = .seconds(30),
        arrivalTime: Duration = .seconds(10),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: @escaping @Sendable (TestConnection) async throws -> Void
    ) async throws {
        let channel = NIOAsyncTestingChannel()
        let (waits, gate) = AsyncStream<Void>.makeStream()
        var limits = RequestLimits()
        limits.arrivalTime = arrivalTime
        let server = RequestChannel(responder: PathResponder(gate: waits), limits: limits, idleTime: idleTime)
        let wire = try await channel.testingEventLoop.executeInContext {
            let wire = HeldWire()
            try channel.pipeline.syncOperations.addHandler(wire)
            return NIOLoopBound(wire, eventLoop: channel.testingEventLoop)
        }
        let value = try await channel.testingEventLoop.executeInContext {
            server.setup(channel: channel, logger: logger)
        }.get()
        try await channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).get()
        try await withThrowingTaskGroup { group in
            group.addTask { await server.handle(value: value, logger: logger) }
            let connection = TestConnection(channel: channel, wire: wire, gate: gate)
            let result: Result<Void, any Error>
            do {
                try await channel.writeInbound(ByteBuffer(string: Self.request("/first")))
                _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
                result = .success(try await body(connection))
            } catch {
                result = .failure(error)
            }
            gate.finish()
            channel.close(promise: nil)
            try await group.waitForAll()
            try result.get()
        }
    }

    static func request(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    var isOpen: Bool { channel.isActive }

    /// Sends `text` to the server, and returns what it has sent by then.
    @discardableResult
    func send(_ text: String) async throws -> String {
        try await channel.writeInbound(ByteBuffer(string: text))
        return try await answers()
    }

    /// Lets time pass, and returns what the server has sent by then.
    @discardableResult
    func pass(_ time: TimeAmount) async throws -> String {
        await channel.testingEventLoop.advanceTime(by: time)
        return try await answers()
    }

    /// Lets the slow request that waits be answered, and returns what the server has sent by then.
    func letAnswer() async throws -> String {
        gate.yield()
        return try await answers()
    }

    /// Tells the server's side of the connection something, and returns what it has sent by then.
    @discardableResult
    func tell(_ event: some Sendable) async throws -> String {
        try await channel.testingEventLoop.executeInContext { channel.pipeline.fireUserInboundEventTriggered(event) }
        return try await answers()
    }

    /// Has the server close the connection in the moment in which it has written `text`, and returns what it has sent by then.
    func close(whenWritten text: String) async throws -> String {
        try await channel.testingEventLoop.executeInContext {
            channel.write(ByteBuffer(string: text), promise: nil)
            channel.close(promise: nil)
        }
        return try await answers()
    }

    /// Whether the other side takes what is written.
    func setWritable(_ isWritable: Bool) async throws -> String {
        channel.isWritable = isWritable
        try await channel.testingEventLoop.executeInContext { channel.pipeline.fireChannelWritabilityChanged() }
        return try await answers()
    }

    /// Holds what the server writes from now on, or lets it go on; returns what it has sent by then.
    @discardableResult
    func hold(_ isHeld: Bool) async throws -> String {
        try await channel.testingEventLoop.executeInContext {
            if isHeld { wire.value.isHeld = true } else { wire.value.release() }
        }
        return try await answers()
    }

    /// Whether the server has closed its side alone.
    func hasEndedSending() async throws -> Bool {
        try await channel.testingEventLoop.executeInContext { wire.value.hasEndedSending }
    }

    private func answers() async throws -> String {
        await channel.testingEventLoop.run()
        var text = ""
        while let bytes = try await channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }
}

extension TestConnection: CustomReflectable {
    /// A failed expectation would else look into the channel while it is at work.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps what is written, and the end of sending, from the other side for as long as a test wants.
private final class HeldWire: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    var isHeld = false
    private(set) var hasEndedSending = false
    private var held: [(bytes: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isHeld else { return context.write(data, promise: promise) }
        held.append((data, promise))
    }

    func release() {
        isHeld = false
        for (bytes, promise) in held { context?.write(bytes, promise: promise) }
        held = []
        context?.flush()
    }

    /// A connection in memory has no halves.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        hasEndedSending = true
        promise?.succeed()
    }
}

private struct PathResponder: RequestResponder {
    let gate: AsyncStream<Void>

    func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response {
        switch request.uri.path {
        case "/slow": for await _ in gate { break }
        case "/204": return Response(status: .noContent, body: ResponseBody(byteBuffer: ByteBuffer(string: "none")))
        case "/304": return Response(status: .notModified, body: ResponseBody(byteBuffer: ByteBuffer(string: "none")))
        default: break
        }
        return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path)))
    }
}
