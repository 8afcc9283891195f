#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Foundation's sessions for requests that share their cookies. They have no cache and no credentials.
///
/// On Linux, each request has its own session and thus its own connection. There, Foundation keeps a connection after
/// an answer unless the server sends `Connection: close`. It does not notice when the server closes that connection,
/// and the next request on it never gets an answer. HTTP allows servers to close without that header.
package struct HTTPSessions: Sendable {
    private let timeout: Duration
    #if canImport(FoundationNetworking)
    private let cookies: HTTPCookieStorage?
    #else
    private let shared: HTTPSession
    #endif

    /// - Parameters:
    ///   - timeout: The maximum time for a request.
    ///   - keepsCookies: Whether cookies are stored and sent again. They are in memory, for the life of this value.
    package init(timeout: Duration, keepsCookies: Bool = false) {
        self.timeout = timeout
        let cookies = keepsCookies ? URLSessionConfiguration.ephemeral.httpCookieStorage : nil
        #if canImport(FoundationNetworking)
        self.cookies = cookies
        #else
        shared = HTTPSession(delegate: HTTPAnswers(), timeout: timeout, cookies: cookies)
        #endif
    }

    /// Returns the answer to `message`, as ``HTTPAnswers/pieces(of:in:)`` does.
    func pieces(of message: URLRequest) -> HTTPAnswers.Pieces {
        #if canImport(FoundationNetworking)
        let shared = HTTPSession(delegate: HTTPAnswers(), timeout: timeout, cookies: cookies)
        #endif
        return HTTPAnswers.pieces(of: message, in: shared.session)
    }
}

/// A session of Foundation that ends with its last owner and its last request. Otherwise the session and its delegate
/// would live as long as the process.
package final class HTTPSession: Sendable {
    let session: URLSession

    /// - Parameters:
    ///   - delegate: Receives all events, and finally the end of the session.
    ///   - timeout: The maximum time for a request.
    ///   - cookies: The storage for cookies. Nil to store and send none.
    package init(delegate: any URLSessionDataDelegate, timeout: Duration, cookies: HTTPCookieStorage? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        // Both limits only back up the caller's deadline, for a request that does not end when it is cancelled.
        // Foundation on Linux drops fractions and treats less than a second as zero.
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
/// The connection is used once, so the server need not keep it.
private let additionalHeaders = ["Connection": "close"]
#else
private let additionalHeaders: [String: String]? = nil
#endif
