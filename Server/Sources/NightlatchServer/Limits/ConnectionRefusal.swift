import NIOSSL

/// Why the server closed a connection without telling the client the reason.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// Too many connections are open.
    case all
    /// Too many connections of the client's address are open.
    case address
    /// The client sent more requests at once than the server queues. The earlier ones were answered.
    case waitingRequests = "waiting_requests"
    /// The client does not speak TLS, has no TLS version or suite in common with the server, or does not accept the
    /// certificate.
    case tls

    /// Creates the reason for an error; nil if the error is no refusal, because the client disconnected.
    init?(_ error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: return nil
        case is NIOSSLError, is BoringSSLError: self = .tls
        default: return nil
        }
    }
}
