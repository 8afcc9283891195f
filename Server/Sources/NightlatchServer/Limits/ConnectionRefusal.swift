import NIOSSL

/// Why the server closed a connection without telling the client the reason.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// Too many connections are open.
    case all
    /// Too many connections of its address are open.
    case address
    /// It sent more requests at once than the server queues. The earlier ones were answered.
    case waitingRequests = "waiting_requests"
    /// The client does not speak TLS or no supported version or suite, or refuses the certificate.
    case tls

    /// Returns nil for an error that is no refusal: the client has gone.
    init?(_ error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: return nil
        case is NIOSSLError, is BoringSSLError: self = .tls
        default: return nil
        }
    }
}
