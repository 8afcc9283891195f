import Foundation
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
import NightlatchServer
package import ServiceLifecycle
import Synchronization

/// A server that reports each request and its answer before it sends the answer.
///
/// It answers like the base server, but uses Hummingbird's connections: the relying party's own connections would call
/// its routes directly and bypass this observer.
package struct ObservedApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    private let base: Base
    private let observe: @Sendable (Exchange) async -> Void

    /// Creates a server that reports its requests.
    ///
    /// - Parameters:
    ///   - base: The server.
    ///   - observe: Called with each request that could be read, and its answer.
    package init(base: Base, observe: @escaping @Sendable (Exchange) async -> Void) {
        self.base = base
        self.observe = observe
    }

    package var responder: ObservingResponder<Base.Responder> {
        get async throws { ObservingResponder(base: try await base.responder, observe: observe) }
    }

    package var server: HTTPServerBuilder { .http1() }
    package var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    package var configuration: ApplicationConfiguration { base.configuration }
    package var logger: Logger { base.logger }
    package var services: [any Service] { base.services }
    package var processesRunBeforeServerStart: [@Sendable () async throws -> Void] {
        base.processesRunBeforeServerStart
    }

    @Sendable package func onServerRunning(_ channel: any Channel) async {
        await base.onServerRunning(channel)
    }
}

/// Answers like another responder, and reports the exchange.
package struct ObservingResponder<Base: HTTPResponder>: HTTPResponder {
    package typealias Context = Base.Context

    fileprivate let base: Base
    fileprivate let observe: @Sendable (Exchange) async -> Void

    @concurrent @Sendable package func respond(to request: Request, context: Context) async throws -> Response {
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: RequestLimits.bodyByteCount)
        } catch {
            // `base` refuses this request, so there is nothing to report. The body cannot be read again, so `base` gets
            // one that throws the same error.
            request.body = RequestBody(
                asyncSequence: AsyncThrowingStream<ByteBuffer, any Error>(unfolding: { throw error }))
            return try await base.respond(to: request, context: context)
        }
        var response = try await base.respond(to: request, context: context)
        let answer = CollectedBody()
        try await response.body.write(answer)
        response.body = ResponseBody(byteBuffer: answer.buffer)
        await observe(
            Exchange(
                at: Date(), request: request, body: Data(body.readableBytesView), status: response.status.code,
                answer: Data(answer.buffer.readableBytesView)))
        return response
    }
}

/// Collects the body of an answer instead of sending it.
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let bytes = Mutex(ByteBuffer())

    var buffer: ByteBuffer { bytes.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        bytes.withLock { bytes in
            var buffer = buffer
            bytes.writeBuffer(&buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
