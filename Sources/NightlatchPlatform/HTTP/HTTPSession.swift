#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Foundation's sessions for requests that share cookies, but no cache and no credentials.
///
/// On Linux each request has its own session, and so its own connection. Foundation on Linux keeps a connection open
/// after an answer unless the server sends `Connection: close`. A server may close a connection without sending this
/// header. The next request on that connection would get no answer, and would fail only at its timeout.
package struct HTTPSessions: Sendable {
    private let session: @Sendable () -> HTTPSession
    private let cookies: HTTPCookieStorage?

    /// - Parameters:
    ///   - timeout: The maximum time for a request.
    ///   - keepsCookies: Whether cookies are stored and sent with later requests. They are stored in memory, as long as
    ///     this value exists.
    package init(timeout: Duration, keepsCookies: Bool = false) {
        let cookies = keepsCookies ? URLSessionConfiguration.ephemeral.httpCookieStorage : nil
        self.cookies = cookies
        let makeSession: @Sendable () -> HTTPSession = {
            HTTPSession(delegate: HTTPAnswers(), timeout: timeout, cookies: cookies)
        }
        if canReuseConnections {
            let shared = makeSession()
            session = { shared }
        } else {
            session = makeSession
        }
    }

    func forgetCookies() {
        for cookie in cookies?.cookies ?? [] { cookies?.deleteCookie(cookie) }
    }

    /// Sends `message` and returns its answer in pieces; see ``HTTPAnswers/pieces(of:in:)``.
    func pieces(of message: URLRequest) -> HTTPAnswers.Pieces {
        // A session is invalidated when its last owner releases it. Asking an invalidated session for a task ends the
        // process.
        withExtendedLifetime(session()) { HTTPAnswers.pieces(of: message, in: $0.session) }
    }
}

/// A Foundation session that is invalidated when its last owner has released it and its last request has ended.
/// Otherwise the session and its delegate would exist until the process ends.
package final class HTTPSession: Sendable {
    let session: URLSession

    /// - Parameters:
    ///   - delegate: Receives the events of all requests, and finally the end of the session.
    ///   - timeout: The maximum time for a request.
    ///   - cookies: Stores the cookies. If nil, no cookies are stored or sent.
    package init(delegate: any URLSessionDataDelegate, timeout: Duration, cookies: HTTPCookieStorage? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        // The caller cancels the request at its own deadline. These limits are for a request that does not end when it
        // is cancelled. They are rounded up: Foundation on Linux drops fractions of a second, so it would treat less
        // than a second as zero.
        let seconds = max(1, (timeout / .seconds(1)).rounded(.up))
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        configuration.httpCookieStorage = cookies
        configuration.httpShouldSetCookies = cookies != nil
        configuration.httpAdditionalHeaders = additionalHeaders
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}

#if canImport(FoundationNetworking)
private let canReuseConnections = false
/// Tells the server to close the connection, which is used only once.
private let additionalHeaders = ["Connection": "close"]
#else
private let canReuseConnections = true
private let additionalHeaders: [String: String]? = nil
#endif
