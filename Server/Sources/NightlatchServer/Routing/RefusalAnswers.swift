import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchWire

/// Turns every error that a route throws into an answer: a problem document, an OAuth error or a PingAM error.
struct RefusalAnswers: RouteStep {
    let form: Form
    let tally: RefusalTally

    enum Form: Sendable {
        case problem
        case oauth
        case journey
    }

    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        guard case .failure(let error) = outcome else { return }
        outcome = .success(answer(to: error, context))
    }

    private func answer(to error: any Error, _ context: RelyingPartyRequestContext) -> Response {
        if let error = error as? OAuthError {
            CeremonyMetrics.refused(error.code)
            return error.response
        }
        let refusal = error as? Refusal ?? .internalError
        tally.note(refusal)
        CeremonyMetrics.refused(refusal.code)
        if context.hasLines { Self.log(refusal, of: error, context.logger) }
        return switch form {
        case .problem: refusal.problemResponse
        case .oauth: refusal.oauthResponse
        case .journey: refusal.journeyResponse
        }
    }

    private static func log(_ refusal: Refusal, of error: any Error, _ logger: Logger) {
        // The endpoint counts this in the LimitLog.
        guard refusal.limitCause == nil else { return }
        var metadata: Logger.Metadata = ["code": .string(refusal.code.rawValue)]
        if let reason = refusal.reason { metadata["reason"] = .string(reason) }
        switch refusal.code {
        case .internalError:
            metadata["error"] = .string("\(type(of: error))")
            logger.error("Failed to answer a request", metadata: metadata)
        case .unavailable: logger.error("The store does not answer", metadata: metadata)
        default: logger.info("Refused a request", metadata: metadata)
        }
    }
}
