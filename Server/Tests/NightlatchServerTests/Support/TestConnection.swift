import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NightlatchRelyingParty
import NightlatchServer
import Synchronization

/// A connection in memory to a test server. Its time advances only when a test says so.
///
/// The path decides the answer: `/slow` is answered once the test allows it, `/204` and `/304` have that status,
/// `/parts` has an answer in two parts, that of `/broken` ends after the first because the store fails, and any other
/// path is answered at once.
struct TestConnection: Sendable {
    let channel: NIOAsyncTestingChannel
    private let wire: NIOLoopBound<HeldWire>
    private let gate: AsyncStream<Void>.Continuation
    private let asked: AskedPaths

    /// Runs `body` with a connection after its first answer, and checks that the server's task ends with it.
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
        let asked = AskedPaths()
        let server = RequestChannel(
            responder: PathResponder(gate: waits, asked: asked), limits: limits, idleTime: idleTime)
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
            let connection = TestConnection(channel: channel, wire: wire, gate: gate, asked: asked)
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
    /// The paths of the requests that the server has begun to answer.
    var askedPaths: [String] { asked.paths.withLock(\.self) }

    /// Sends `text` to the server, and returns the data that the server has sent by then.
    @discardableResult
    func send(_ text: String) async throws -> String {
        try await channel.writeInbound(ByteBuffer(string: text))
        return try await answers()
    }

    /// Advances the time, and returns the data that the server has sent by then.
    @discardableResult
    func pass(_ time: TimeAmount) async throws -> String {
        await channel.testingEventLoop.advanceTime(by: time)
        return try await answers()
    }

    /// Lets the server answer the waiting slow request, and returns the data that the server has sent by then.
    func letAnswer() async throws -> String {
        gate.yield()
        return try await answers()
    }

    /// Fires an event in the server's pipeline, and returns the data that the server has sent by then.
    @discardableResult
    func tell(_ event: some Sendable) async throws -> String {
        try await channel.testingEventLoop.executeInContext { channel.pipeline.fireUserInboundEventTriggered(event) }
        return try await answers()
    }

    /// Makes the server close the connection as soon as it has written `text`, and returns the data that it has sent by
    /// then.
    func close(whenWritten text: String) async throws -> String {
        try await channel.testingEventLoop.executeInContext {
            channel.write(ByteBuffer(string: text), promise: nil)
            channel.close(promise: nil)
        }
        return try await answers()
    }

    /// Sets whether the other side accepts data, and returns the data that the server has sent by then.
    func setWritable(_ isWritable: Bool) async throws -> String {
        channel.isWritable = isWritable
        try await channel.testingEventLoop.executeInContext { channel.pipeline.fireChannelWritabilityChanged() }
        return try await answers()
    }

    /// Holds back the server's writes, or releases them, and returns the data that the server has sent by then.
    @discardableResult
    func hold(_ isHeld: Bool) async throws -> String {
        try await channel.testingEventLoop.executeInContext {
            if isHeld { wire.value.isHeld = true } else { wire.value.release() }
        }
        return try await answers()
    }

    /// Whether the server has closed only its own side.
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
    /// Without this, a failed expectation would reflect on the channel while it is running.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Holds back writes and the end of sending from the other side as long as a test wants.
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

    /// A connection in memory cannot be half closed, so this only notes the end of sending.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        hasEndedSending = true
        promise?.succeed()
    }
}

private final class AskedPaths: Sendable {
    let paths = Mutex<[String]>([])
}

private struct PathResponder: RequestResponder {
    let gate: AsyncStream<Void>
    let asked: AskedPaths

    func answer(to request: Request, _ context: RelyingPartyRequestContext) async throws -> Response {
        let path = request.uri.path
        asked.paths.withLock { $0.append(path) }
        switch path {
        case "/slow": for await _ in gate { break }
        case "/204": return Response(status: .noContent, body: ResponseBody(byteBuffer: ByteBuffer(string: "none")))
        case "/304": return Response(status: .notModified, body: ResponseBody(byteBuffer: ByteBuffer(string: "none")))
        case "/parts", "/broken":
            let body = ResponseBody { writer in
                try await writer.write(ByteBuffer(string: path))
                if path == "/broken" { throw AdministrationError.store(RelyingPartyStoreError(.unavailable)) }
                try await writer.write(ByteBuffer(string: path))
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        default: break
        }
        return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: path)))
    }
}
