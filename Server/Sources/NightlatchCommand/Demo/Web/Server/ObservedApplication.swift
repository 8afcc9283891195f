import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A server whose requests and answers somebody is told of, each before its answer is sent.
///
/// It answers as it would without, over connections of Hummingbird's: the relying party's own hand requests to its routes without
/// asking anybody.
struct ObservedApplication<Base: ApplicationProtocol>: ApplicationProtocol {
    let base: Base
    let observe: @Sendable (Exchange) async -> Void

    var responder: ObservingResponder<Base.Responder> {
        get async throws { ObservingResponder(base: try await base.responder, observe: observe) }
    }

    var server: HTTPServerBuilder { .http1() }
    var eventLoopGroup: any EventLoopGroup { base.eventLoopGroup }
    var configuration: ApplicationConfiguration { base.configuration }
    var logger: Logger { base.logger }
    var services: [any Service] { base.services }
    var processesRunBeforeServerStart: [@Sendable () async throws -> Void] { base.processesRunBeforeServerStart }

    @Sendable func onServerRunning(_ channel: any Channel) async {
        await base.onServerRunning(channel)
    }
}

/// Answers as another does, and tells of it.
struct ObservingResponder<Base: HTTPResponder>: HTTPResponder {
    typealias Context = Base.Context

    /// As much of a body as the relying party takes.
    private static var bodyByteCountLimit: Int { 64 * 1024 }

    let base: Base
    let observe: @Sendable (Exchange) async -> Void

    @concurrent @Sendable func respond(to request: Request, context: Context) async throws -> Response {
        var request = request
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: Self.bodyByteCountLimit)
        } catch {
            // The relying party refuses it in its own words; there is nothing to be shown of it. Nor is there to be read a second time.
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

/// Takes an answer's body instead of a connection.
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
