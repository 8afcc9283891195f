import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A request that is being read. Its body is kept up to a limit, and handed over with it once it is there.
struct IncomingRequest {
    private let head: HTTPRequest
    private var body = ByteBuffer()
    /// Nothing more of the body is read.
    private var isTooLong = false
    private let connection: ConnectionFields
    /// The other side waits for word that its body is read ([RFC 9110, section 10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
    private(set) var awaitsContinue = false
    /// When it was found not to have come in one piece with what came before it.
    private(set) var awaitedSince: NIODeadline?

    /// Nil if it cannot be said whom the request is for, or what it asks.
    init?(_ head: HTTPRequestHead) {
        connection = ConnectionFields(of: head)
        // A target is ASCII (RFC 3986). Another would be normalised to be looked up, which costs up to the square of its length.
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
        // A target that is a path stays as it is: a whole URL would be looked for in it.
        return HTTPRequest(
            method: try HTTPRequest.Method(head.method), scheme: "http", authority: head.headers.first(name: "Host"),
            path: head.uri, headerFields: HTTPFields(head.headers, splitCookie: false))
    }

    /// Nothing that follows it on its connection is served.
    var isLast: Bool { connection.isLast || isTooLong }

    /// How much of what was sent is kept.
    var byteCount: Int { connection.byteCount + body.readableBytes }

    /// What is handed over. Whoever wants a body is told if it is too long.
    var event: RequestQueue.Event { .request(head, isTooLong ? .tooLong : .whole(body)) }

    /// Takes a piece of the body.
    ///
    /// - Returns: Whether the body may go on: if not, it is too long.
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

    /// The rest of the body is still to come, and is waited for from now on.
    ///
    /// - Returns: Whether it may come: if not, it is too long by what its head says.
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

    /// The other side was told that its body is read.
    mutating func markContinued() {
        awaitsContinue = false
    }
}
