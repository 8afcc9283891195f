import Hummingbird
package import NIOCore

/// The body of a request, which is answered once it has come whole.
package enum RequestContent: Sendable {
    case whole(ByteBuffer)
    /// More than is read.
    case tooLong

    /// The body of a request that was handed over before all of it had come, as ``RequestChannel`` never does.
    init(collecting body: RequestBody) async throws {
        do {
            self = .whole(try await body.collect(upTo: RequestLimits.bodyByteCount))
        } catch is NIOTooManyBytesError {
            self = .tooLong
        }
    }
}
