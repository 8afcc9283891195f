import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging

/// Adds common headers to the answers of a route, counts its requests, and logs them.
///
/// A request that a limit refused, or whose log line a limit suppressed, is only counted, in ``LimitLog``. The log
/// contains the route's pattern, never the request's path or other text from the client.
struct RequestLog: Sendable {
    /// The pattern of the path; `other` if no route matches, as in the metrics.
    let route: String
    let logger: Logger
    let limitLog: LimitLog
    let metrics: RequestMetrics
    /// The counters of the route's requests.
    let counted: RouteMetrics
    /// Whether the issuer is an https URL.
    let isSecure: Bool

    func begin() -> ContinuousClock.Instant {
        metrics.underway.increment()
        return .now
    }

    func end(
        _ response: inout Response,
        countedAs limitCause: LimitCause?,
        since start: ContinuousClock.Instant,
        _ context: RelyingPartyRequestContext
    ) {
        metrics.underway.decrement()
        counted.record(status: response.status.code, since: start)
        // Appending avoids the search that setting needs. No route sets this header.
        response.headers.append(HTTPField(name: .requestID, value: context.id))
        if !response.headers.contains(.cacheControl) { response.headers.append(.noStore) }
        if isSecure { response.headers.append(.httpsAlone) }
        if let limitCause { return limitLog.note(limitCause) }
        logger.info(
            "Answered a request",
            metadata: [
                RelyingPartyRequestContext.idKey: .string(context.id),
                "microseconds": .stringConvertible(Int((ContinuousClock.now - start) / .microseconds(1))),
                "route": .string(route),
                "status": .stringConvertible(response.status.code),
            ])
    }
}
