import NIOSSL

/// Why a connection is not served, or no further, without an answer that would say so.
package enum ConnectionRefusal: String, CaseIterable, Sendable {
    /// As many are open as may be.
    case all
    /// As many of its address are open as may be.
    case address
    /// It brought more requests at once than wait. Those before were answered.
    case waitingRequests = "waiting_requests"
    /// It speaks no TLS, none that is spoken here, or takes the certificate for no good one.
    case tls

    /// Nil for an error that is nobody's refusal: the other side has gone.
    init?(_ error: any Error) {
        switch error {
        case NIOSSLError.uncleanShutdown: return nil
        case is NIOSSLError, is BoringSSLError: self = .tls
        default: return nil
        }
    }
}
