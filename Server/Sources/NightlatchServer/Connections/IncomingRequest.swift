import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A request that is being read. Its body is buffered up to a limit, and passed on together with the head.
struct IncomingRequest {
    private let head: HTTPRequest
    private var body = ByteBuffer()
    /// Whether the body exceeds the limit. The rest of it is then ignored.
    private var isTooLong = false
    private let connection: ConnectionFields
    /// Whether the client waits for the status 100 before it sends the body
    /// ([RFC 9110, section 10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
    private(set) var awaitsContinue = false
    /// When the server first had to wait for the rest of the request; nil if it has not waited.
    private(set) var awaitedSince: NIODeadline?

    /// Creates the request; nil if its `Host`, target or method is invalid.
    init?(_ head: HTTPRequestHead) {
        connection = ConnectionFields(of: head)
        // A valid target is ASCII (RFC 3986). The look-up would normalise any other target, which can take time
        // proportional to the square of its length.
        guard connection.isHostGood, head.uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        do {
            self.head = try Self.request(head)
        } catch {
            return nil
        }
    }

    private static func request(_ head: HTTPRequestHead) throws -> HTTPRequest {
        guard head.uri.utf8.first == UInt8(ascii: "/") else {
            return try HTTPRequest(head, secure: false, splitCookie: false)
        }
        // A target that is a path is kept as it is. The other initialiser would parse it as a whole URL.
        return HTTPRequest(
            method: try HTTPRequest.Method(head.method), scheme: "http", authority: head.headers.first(name: "Host"),
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
    }

    /// Whether the server ignores everything after this request on its connection.
    var isLast: Bool { connection.isLast || isTooLong }

    /// The number of buffered bytes.
    var byteCount: Int { connection.byteCount + body.readableBytes }

    /// The event that passes the request on to the task that answers it. If the body is too long, a route that reads it
    /// refuses the request.
    var event: RequestQueue.Event {
        .request(head, isTooLong ? .tooLong : .whole(body), isCurrent: connection.isCurrent)
    }

    /// Appends a piece of the body.
    ///
    /// - Returns: Whether the server continues to read; false if the body is too long.
    mutating func append(_ part: ByteBuffer) -> Bool {
        awaitsContinue = false
        guard part.readableBytes <= RequestLimits.bodyByteCount - body.readableBytes else {
            isTooLong = true
            return false
        }
        if body.readableBytes == 0 {
            body = part
        } else {
            body.writeImmutableBuffer(part)
        }
        return true
    }

    /// Records that the server has waited for the rest of the body since `now`.
    ///
    /// - Returns: Whether the server continues to read; false if the `Content-Length` is too large.
    mutating func wait(from now: NIODeadline) -> Bool {
        guard awaitedSince == nil else { return true }
        awaitedSince = now
        if let length = head.headerFields[.contentLength].flatMap(Int.init), length > RequestLimits.bodyByteCount {
            isTooLong = true
            return false
        }
        awaitsContinue =
            connection.isCurrent && body.readableBytes == 0
            && head.headerFields[.expect]?.lowercased() == "100-continue"
        return true
    }

    /// Records that the status 100 was sent.
    mutating func markContinued() {
        awaitsContinue = false
    }
}
