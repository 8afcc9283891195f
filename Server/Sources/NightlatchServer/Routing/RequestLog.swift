import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging

/// Gives every answer of a route its request's id, counts every request and gives it its line in the log, save one that a limit has refused or left without one:
/// the ``LimitLog`` counts that. The route's pattern is logged, never a request's address or anything that the sender wrote.
struct RequestLog: Sendable {
    /// The pattern of its path; `other`, as for the metrics, for what is not served.
    let route: String
    let logger: Logger
    let limitLog: LimitLog
    let metrics: RequestMetrics
    /// What its requests are counted as.
    let counted: RouteMetrics
    /// Whether clients know the relying party by https.
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
        // Added and not set, which would look for it: no route has it.
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
