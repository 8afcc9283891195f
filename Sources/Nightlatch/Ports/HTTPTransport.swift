public import Foundation

/// Sends one HTTP request and brings the answer, whatever its status. It follows no redirect.
///
/// It is what servers are asked through that speak a protocol of their own. It decides nothing: cookies it may keep for as long as it
/// lives, and nothing else.
public protocol HTTPTransport: Sendable {
    /// - Throws: ``HTTPTransportError``. The server may have done what it was asked.
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse
}

/// One request.
public struct HTTPTransportRequest: Sendable {
    public let method: String
    public let url: URL
    public let headers: [String: String]
    /// Nil for a request without one.
    public let body: Data?
    /// How long to wait for a whole answer, however its parts come in.
    public let timeout: Duration

    public init(
        method: String,
        url: URL,
        headers: [String: String],
        body: Data? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// One answer, whole.
public struct HTTPTransportResponse: Sendable {
    public let status: Int
    public let body: Data

    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

extension HTTPTransportRequest: CustomStringConvertible, CustomReflectable {
    /// Without what a header or the body holds, among which are passwords and tokens; nor what follows the path of the address.
    public var description: String { "\(method) \(url.host() ?? "")\(url.path())" }

    public var customMirror: Mirror {
        let headers = headers.keys.sorted()
        return Mirror(
            self, children: ["method": method, "host": url.host() ?? "", "path": url.path(), "headers": headers])
    }
}

extension HTTPTransportResponse: CustomStringConvertible, CustomReflectable {
    /// Without what the body holds, among which are tokens.
    public var description: String { "(status \(status), \(body.count) bytes)" }

    public var customMirror: Mirror { Mirror(self, children: ["status": status, "byteCount": body.count]) }
}

/// Why there is no answer.
public enum HTTPTransportError: Error, Hashable, Sendable {
    /// No connection, or no whole answer in time. The reason is for a log; it holds no secret.
    case unreachable(reason: String)
    /// The answer is larger than the transport takes.
    case tooLarge
    /// The caller's task was cancelled.
    case cancelled
}
