import HTTPTypes
import Hummingbird
package import NIOCore

/// The body of a request.
package enum RequestContent: Sendable {
    /// The complete body.
    case whole(ByteBuffer)
    /// The body exceeds the limit and was not kept.
    case tooLong

    /// Reads a body that arrives after the request's head. ``RequestChannel`` passes on only complete requests, so it
    /// does not use this.
    ///
    /// A body that breaks off counts as empty: the client does not read the answer.
    init(collecting body: RequestBody, upTo byteCount: Int) async {
        do {
            self = .whole(try await body.collect(upTo: byteCount))
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            self = .tooLong
        } catch {
            self = .whole(ByteBuffer())
        }
    }

    /// The bytes of the body; empty if it is too long.
    var bytes: [UInt8] {
        switch self {
        case .whole(let bytes): Array(bytes.readableBytesView)
        case .tooLong: []
        }
    }
}
