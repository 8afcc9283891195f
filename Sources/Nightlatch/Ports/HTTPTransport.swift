public import Foundation

/// Sends one HTTP request and returns the answer, whatever its status. It follows no redirect.
///
/// It is the transport for servers with a custom protocol, such as PingAM journeys. It makes no decisions. It may keep
/// cookies in memory until ``forgetCookies()`` is called. It keeps nothing else.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the answer.
    ///
    /// - Throws: ``HTTPTransportError``. The server may have carried out the request.
    func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse

    /// Removes all cookies: the user has logged out, and a cookie may contain the session. A transport without cookies
    /// does not have to implement this function.
    func forgetCookies()
}

extension HTTPTransport {
    public func forgetCookies() {}
}

/// An HTTP request.
public struct HTTPTransportRequest: Sendable {
    public let method: String
    public let url: URL
    public let headers: [String: String]
    /// The body, or nil for a request without one.
    public let body: Data?
    /// The time limit for the whole answer, even if parts of it keep arriving.
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

/// A complete HTTP answer.
public struct HTTPTransportResponse: Sendable {
    public let status: Int
    /// The header fields. Names are compared without regard to case; see ``header(_:)``.
    public let headers: [String: String]
    public let body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the header field `name`, in any case of letters. Nil if there is none.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

extension HTTPTransportRequest: CustomStringConvertible, CustomReflectable {
    /// The method, host and path. Omits headers, body and query, which may contain passwords and tokens.
    public var description: String { "\(method) \(url.host() ?? "")\(url.path())" }

    public var customMirror: Mirror {
        let headers = headers.keys.sorted()
        return Mirror(
            self, children: ["method": method, "host": url.host() ?? "", "path": url.path(), "headers": headers])
    }
}

extension HTTPTransportResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the size. Omits the headers and the body, which may contain codes and tokens.
    public var description: String { "(status \(status), \(body.count) bytes)" }

    public var customMirror: Mirror { Mirror(self, children: ["status": status, "byteCount": body.count]) }
}

/// An error that occurs while waiting for the answer to a request.
public enum HTTPTransportError: Error, Hashable, Sendable {
    /// There was no connection, or no complete answer in time. The reason is for a log; it contains no secret.
    case unreachable(reason: String)
    /// The answer is larger than the transport accepts.
    case tooLarge
    /// The caller's task was cancelled.
    case cancelled
}
