#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Sessions of Foundation for requests that share their cookies and nothing else: no cache, no credentials.
///
/// On Linux each request has its own session, and with it its own connection. Foundation there keeps a connection after
/// an answer unless the server says `Connection: close`. If the server closes it without saying so, as it may, the next
/// request on it gets no answer and fails only at its timeout.
package struct HTTPSessions: Sendable {
    private let session: @Sendable () -> HTTPSession

    /// - Parameters:
    ///   - timeout: How long a request may take.
    ///   - keepsCookies: Whether cookies are kept and sent again: in memory, for as long as this lives.
    package init(timeout: Duration, keepsCookies: Bool = false) {
        let cookies = keepsCookies ? URLSessionConfiguration.ephemeral.httpCookieStorage : nil
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

    /// The answer to `message`, as ``HTTPAnswers/pieces(of:in:)`` has it.
    func pieces(of message: URLRequest) -> HTTPAnswers.Pieces {
        HTTPAnswers.pieces(of: message, in: session().session)
    }
}

/// A session of Foundation that ends with its last owner and its last request. Without this, it and its delegate would
/// live until the process ends.
package final class HTTPSession: Sendable {
    let session: URLSession

    /// - Parameters:
    ///   - delegate: Receives all that comes in, and at last the end of the session.
    ///   - timeout: How long a request may take.
    ///   - cookies: Where cookies are kept, or nil to keep and send none.
    package init(delegate: any URLSessionDataDelegate, timeout: Duration, cookies: HTTPCookieStorage? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        // Both are behind the deadline that is counted from outside, for a request that does not end when it is
        // cancelled. Foundation on Linux drops fractions, and takes no time at all for what is left of less than a
        // second.
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
/// Each connection is used once, so the server need not keep it.
private let additionalHeaders = ["Connection": "close"]
#else
private let canReuseConnections = true
private let additionalHeaders: [String: String]? = nil
#endif
