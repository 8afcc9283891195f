import Foundation
public import Nightlatch

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// HTTP with Foundation's `URLSession`.
///
/// Redirects are not followed. Cookies are in memory while the transport exists or until ``forgetCookies()``, because
/// servers behind a load balancer need them. Nothing else is stored.
public struct URLSessionTransport: HTTPTransport {
    private let byteCountLimit: Int
    private let sessions: HTTPSessions

    /// Creates a transport.
    ///
    /// - Parameter byteCountLimit: The maximum size of an answer's body, in bytes.
    public init(byteCountLimit: Int = 1024 * 1024) {
        self.byteCountLimit = byteCountLimit
        sessions = HTTPSessions(timeout: .seconds(60 * 60), keepsCookies: true)
    }

    public func send(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        message.httpBody = request.body
        let timeout = request.timeout
        // The deadline below normally ends the request. Five seconds later, this limit ends a request that ignores its
        // cancellation.
        message.timeoutInterval = (timeout / .seconds(1)).rounded(.up) + 5
        let result = await beforeDeadline(in: timeout) { [message] in
            do throws(HTTPTransportError) {
                return Result<_, HTTPTransportError>.success(try await answer(to: message))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw Task.isCancelled ? .cancelled : .unreachable(reason: "no complete answer within \(timeout)")
        }
        return try result.get()
    }

    public func forgetCookies() { sessions.forgetCookies() }

    private func answer(to message: URLRequest) async throws(HTTPTransportError) -> HTTPTransportResponse {
        var head: HTTPURLResponse?
        var body = Data()
        do {
            for try await piece in sessions.pieces(of: message) {
                switch piece {
                case .head(let response): head = response as? HTTPURLResponse
                case .body(let bytes): body.append(bytes)
                }
                guard body.count <= byteCountLimit else { throw HTTPTransportError.tooLarge }
            }
        } catch let error as HTTPTransportError {
            throw error
        } catch {
            throw Task.isCancelled ? .cancelled : .unreachable(reason: error.localizedDescription)
        }
        // The stream of a cancelled task ends early, without an error.
        guard !Task.isCancelled else { throw .cancelled }
        guard let head else { throw .unreachable(reason: "the answer was not an HTTP response") }
        var headers: [String: String] = [:]
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return HTTPTransportResponse(status: head.statusCode, headers: headers, body: body)
    }
}
