import Logging
import Metrics
import NightlatchRelyingParty

/// Counts refused connections, and requests that are not read to their end. None of these reaches a route.
///
/// A client can cause any number of them. So they are counted, and logged only at level `debug`.
enum ConnectionMetrics {
    private static let connections: [ConnectionRefusal: Counter] = Dictionary(
        uniqueKeysWithValues: ConnectionRefusal.allCases.map {
            ($0, Counter(.connectionsRefused, [("reason", $0.rawValue)]))
        })
    private static let requests: [RequestRefusal: Counter] = Dictionary(
        uniqueKeysWithValues: RequestRefusal.allCases.map {
            ($0, Counter(.requestsUnread, [("reason", $0.rawValue)]))
        })

    static func refused(_ refusal: ConnectionRefusal, logger: Logger) {
        connections[refusal]?.increment()
        logger.debug("Refused a connection", metadata: ["reason": .string(refusal.rawValue)])
    }

    static func refused(_ refusal: RequestRefusal, logger: Logger) {
        requests[refusal]?.increment()
        logger.debug("Refused a request before it was fully read", metadata: ["reason": .string(refusal.rawValue)])
    }

    /// Creates all counters, so that each is exported as 0 before its first event.
    static func prepare() { _ = (connections, requests) }
}
