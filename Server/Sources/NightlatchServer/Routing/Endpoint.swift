package import Hummingbird
import Logging
import NightlatchRelyingParty

/// Answers the requests of one method and path: calls the steps, then the route.
///
/// The steps are plain synchronous calls, and only the route is awaited. Nested closures would cost task switches for
/// each request. `Endpoint` is a class because all requests share one: a struct's fields would be copied for each.
package final class Endpoint: HTTPResponder {
    package typealias Answering = @Sendable (Request, RelyingPartyRequestContext) async throws -> Response

    let log: RequestLog
    /// The steps, from the outermost to the innermost.
    let steps: [any RouteStep]
    /// The limit beyond which requests are answered without log lines; nil for no limit.
    private let lineLimit: AddressLimit?
    private let limitDelay: AnswerDelay
    let answer: Answering

    init(
        log: RequestLog,
        steps: [any RouteStep],
        lineLimit: AddressLimit? = nil,
        limitDelay: AnswerDelay,
        answer: @escaping Answering
    ) {
        self.log = log
        self.steps = steps
        self.lineLimit = lineLimit
        self.limitDelay = limitDelay
        self.answer = answer
    }

    package func respond(to request: Request, context: RelyingPartyRequestContext) async -> Response {
        guard let lineLimit, lineLimit.wait(for: request, context) != nil else {
            return await answered(request, context)
        }
        var unlogged = context
        unlogged.hasLines = false
        return await answered(request, unlogged)
    }

    private func answered(_ request: Request, _ context: RelyingPartyRequestContext) async -> Response {
        let start = log.begin()
        var outcome: Result<Response, any Error>
        var limitCause: LimitCause?
        var enteredCount = 0
        do {
            for step in steps {
                try step.enter(request, context)
                enteredCount += 1
            }
            outcome = .success(try await answer(request, context))
        } catch {
            outcome = .failure(error)
            limitCause = (error as? Refusal)?.limitCause
        }
        for step in steps[..<enteredCount].reversed() { step.leave(&outcome, context) }
        var response: Response
        switch outcome {
        case .success(let answer): response = answer
        case .failure(let error):
            // The outermost step turns all refusals into answers, so this error is a defect.
            context.logger.error("Failed to answer a request", metadata: ["error": .string("\(type(of: error))")])
            response = Response(status: .internalServerError)
        }
        if !context.hasLines { limitCause = .unlogged }
        log.end(&response, countedAs: limitCause, since: start, context)
        switch limitCause {
        case .rate, .unlogged: await limitDelay.pass()
        case .load, nil: break
        }
        return response
    }
}
