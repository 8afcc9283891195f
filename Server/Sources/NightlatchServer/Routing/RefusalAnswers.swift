import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchWire

/// Turns every error that a route throws into an answer: a problem document, an OAuth error, an error of OpenID Connect
/// or a PingAM error.
struct RefusalAnswers: RouteStep {
    let form: Form
    let tally: RefusalTally

    enum Form: Sendable {
        case problem
        case oauth
        case journey
        case openID
        /// Like `openID`, for a route that is called with an access token.
        case openIDResource
        /// Like `problem`, but the answer is signed if a rule of the relying party refused the request and the status
        /// is below 500.
        case pin(PinAnswerKey)
    }

    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        guard case .failure(let error) = outcome else { return }
        outcome = .success(answer(to: error, context))
    }

    private func answer(to error: any Error, _ context: RelyingPartyRequestContext) -> Response {
        if let error = error as? OAuthError {
            CeremonyMetrics.refused(error.code)
            guard case .openID = form else { return error.response }
            return RefusalAnswer.openIDResponse(
                error.error, error.description ?? "", status: error.status)
        }
        let (refusal, answer) = (error as? Refusal, RefusalAnswer(to: error))
        var signature: String?
        if case .pin(let key) = form, refusal != nil, answer.status.code < 500 {
            do throws(Refusal) {
                signature = try key.sign(context, status: answer.status, answer: answer.problem)
            } catch {
                // This refusal has the status 500, so its answer is not signed.
                return self.answer(to: error, context)
            }
        }
        if let refusal { tally.note(refusal) }
        CeremonyMetrics.refused(answer.code)
        if context.hasLines { Self.log(answer.code, refusal, of: error, context.logger) }
        switch form {
        case .problem: return answer.problemResponse
        case .oauth: return answer.oauthResponse
        case .journey: return answer.journeyResponse
        case .openID: return answer.openIDResponse(isResource: false)
        case .openIDResource: return answer.openIDResponse(isResource: true)
        case .pin:
            var response = answer.problemResponse
            response.headers[.pinAnswer] = signature
            return response
        }
    }

    private static func log(_ code: ProblemCode, _ refusal: Refusal?, of error: any Error, _ logger: Logger) {
        // The endpoint counts refusals by a limit in ``LimitLog``.
        guard refusal?.limitCause == nil else { return }
        var metadata: Logger.Metadata = ["code": .string(code.rawValue)]
        if let reason = refusal?.reason { metadata["reason"] = .string(reason) }
        switch code {
        case .internalError:
            metadata["error"] = .string("\(type(of: error))")
            logger.error("Failed to answer a request", metadata: metadata)
        case .unavailable: logger.error("The store does not answer", metadata: metadata)
        default: logger.info("Refused a request", metadata: metadata)
        }
    }
}
