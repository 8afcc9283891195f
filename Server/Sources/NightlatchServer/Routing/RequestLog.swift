import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging

/// Adds common headers to the answers of a route, counts its requests, and logs them.
///
/// Requests that a limit refused or left without a line are only counted, in the ``LimitLog``. The log has the route's
/// pattern, never the request's path or other text from the client.
struct RequestLog: Sendable {
    /// The pattern of the path; `other` if no route matches, as in the metrics.
    let route: String
    let logger: Logger
    let limitLog: LimitLog
    let metrics: RequestMetrics
    /// The counters of its requests.
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
        // Appended instead of set: setting would search the headers, and no route sets this one.
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
