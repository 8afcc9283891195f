#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// A session of Foundation's that ends with its last owner. By itself it and its delegate would live on for as long as the process.
///
/// It keeps no cache and no credentials, on Linux no connection, and cookies only if it is told to: then in memory, for itself alone.
package final class HTTPSession: Sendable {
    let session: URLSession

    /// - Parameters:
    ///   - delegate: Is told of all that comes in, and at last that the session has ended.
    ///   - timeout: How long a request may take.
    ///   - keepsCookies: Whether cookies are kept and sent again.
    package init(delegate: any URLSessionDataDelegate, timeout: Duration, keepsCookies: Bool = false) {
        let configuration = URLSessionConfiguration.ephemeral
        // Both are behind the deadline that is counted from outside, for a request that does not end when it is cancelled.
        // Foundation on Linux drops fractions, and takes no time at all for what is left of less than a second.
        let seconds = max(1, (timeout / .seconds(1)).rounded(.up))
        configuration.timeoutIntervalForRequest = seconds
        configuration.timeoutIntervalForResource = seconds
        if !keepsCookies { configuration.httpCookieStorage = nil }
        configuration.httpShouldSetCookies = keepsCookies
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
/// Foundation on Linux does not notice that a kept connection was closed when a request with a body was sent on it, and waits for the answer
/// until the end. So servers are asked to close each connection after its answer.
private let additionalHeaders = ["Connection": "close"]
#else
private let additionalHeaders: [String: String]? = nil
#endif
