package import Hummingbird
import Logging
import NightlatchRelyingParty

/// What answers the requests of one method and path: a route, and the steps before it.
///
/// Steps are called one after the other, and nothing waits but the route itself: each closure around another would be a task's way to and
/// fro, for every request. A class, since one serves all requests: each would copy what it has otherwise.
package final class Endpoint: HTTPResponder {
    package typealias Answering = @Sendable (Request, RelyingPartyRequestContext) async throws -> Response

    let log: RequestLog
    /// From the outermost to the innermost.
    let steps: [any RouteStep]
    /// Beyond it requests are answered without lines in the log; nil for no limit.
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
            // The outermost step makes answers of all refusals; so this is a defect.
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
