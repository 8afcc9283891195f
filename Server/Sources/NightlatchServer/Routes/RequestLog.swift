import CoreMetrics
import HTTPTypes
import Hummingbird
import Logging

/// Gives every answer its request's id, counts every request and gives it its line in the log. A route's pattern is logged, never its address
/// or anything that the sender wrote.
struct RequestLog<Context: RequestContext>: RouterMiddleware {
    let metrics: RequestMetrics

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        metrics.underway.increment()
        defer { metrics.underway.decrement() }
        var response = try await next(request, context)
        metrics.route(context.endpointPath, request.method).record(status: response.status.code, since: start)
        response.headers[.requestID] = context.id
        if !response.headers.contains(.cacheControl) { response.headers[.cacheControl] = "no-store" }
        context.logger.info(
            "Answered a request",
            metadata: [
                "route": .string(context.endpointPath ?? ""),
                "status": .stringConvertible(response.status.code),
                "microseconds": .stringConvertible(Int((ContinuousClock.now - start) / .microseconds(1))),
            ])
        return response
    }
}
