import HTTPTypes
import Hummingbird
package import NIOCore

/// The body of a request.
package enum RequestContent: Sendable {
    /// All of it.
    case whole(ByteBuffer)
    /// More than is read.
    case tooLong

    /// Waits for the body of a request that was handed over before all of it had come, as ``RequestChannel`` never does. Of one that does
    /// not come to its end it has nothing: nobody reads the answer.
    init(collecting body: RequestBody, upTo byteCount: Int) async {
        do {
            self = .whole(try await body.collect(upTo: byteCount))
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            self = .tooLong
        } catch {
            self = .whole(ByteBuffer())
        }
    }

    /// What there is of it.
    var bytes: [UInt8] {
        switch self {
        case .whole(let bytes): Array(bytes.readableBytesView)
        case .tooLong: []
        }
    }
}
