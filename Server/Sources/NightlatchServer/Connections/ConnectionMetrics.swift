import Logging
import Metrics
import NightlatchRelyingParty

/// What is counted of what comes to no route: connections that are refused, and requests that are not read to their end.
///
/// Whoever sends them can send many. So each is counted, and a line of the log at level `debug` alone.
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
        logger.debug("Refused a request that was not read", metadata: ["reason": .string(refusal.rawValue)])
    }

    /// Makes all counters, so that each is there with 0 before it counts for the first time.
    static func prepare() { _ = (connections, requests) }
}
