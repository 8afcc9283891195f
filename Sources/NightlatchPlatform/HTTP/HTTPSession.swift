#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// Sessions of Foundation's for requests that share their cookies, and nothing else: no cache, no credentials.
///
/// On Linux every request has a session of its own, and with it a connection of its own. Foundation there keeps a connection after its
/// answer unless the server says `Connection: close`, does not notice when the server closes it, and waits for the answer to the next
/// request on it until the end. A server that was asked to close and does not say so is within its rights.
package struct HTTPSessions: Sendable {
    private let timeout: Duration
    #if canImport(FoundationNetworking)
    private let cookies: HTTPCookieStorage?
    #else
    private let shared: HTTPSession
    #endif

    /// - Parameters:
    ///   - timeout: How long a request may take.
    ///   - keepsCookies: Whether cookies are kept and sent again: in memory, for as long as this lives.
    package init(timeout: Duration, keepsCookies: Bool = false) {
        self.timeout = timeout
        let cookies = keepsCookies ? URLSessionConfiguration.ephemeral.httpCookieStorage : nil
        #if canImport(FoundationNetworking)
        self.cookies = cookies
        #else
        shared = HTTPSession(delegate: HTTPAnswers(), timeout: timeout, cookies: cookies)
        #endif
    }

    /// The answer to `message`, as ``HTTPAnswers/pieces(of:in:)`` has it.
    func pieces(of message: URLRequest) -> HTTPAnswers.Pieces {
        #if canImport(FoundationNetworking)
        let shared = HTTPSession(delegate: HTTPAnswers(), timeout: timeout, cookies: cookies)
        #endif
        return HTTPAnswers.pieces(of: message, in: shared.session)
    }
}

/// A session of Foundation's that ends with its last owner and its last request. By itself it and its delegate would live on for as long
/// as the process.
package final class HTTPSession: Sendable {
    let session: URLSession

    /// - Parameters:
    ///   - delegate: Is told of all that comes in, and at last that the session has ended.
    ///   - timeout: How long a request may take.
    ///   - cookies: Where cookies are kept, or nil to keep and send none.
    package init(delegate: any URLSessionDataDelegate, timeout: Duration, cookies: HTTPCookieStorage? = nil) {
        let configuration = URLSessionConfiguration.ephemeral
        // Both are behind the deadline that is counted from outside, for a request that does not end when it is cancelled.
        // Foundation on Linux drops fractions, and takes no time at all for what is left of less than a second.
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
/// Its connection is used once, so the server need not keep it.
private let additionalHeaders = ["Connection": "close"]
#else
private let additionalHeaders: [String: String]? = nil
#endif
