import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchServer

/// Adds the security headers to every answer of the console. Also renders a page for refusals that come before the
/// session is known.
struct ConsoleAnswers: RouteStep {
    /// Allows only the style sheet and forms of this host: no scripts, no other resources, and no framing by other
    /// pages ([CSP level 3](https://www.w3.org/TR/CSP3/)).
    static var contentSecurityPolicy: String {
        "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    }

    let renderer: ConsoleRenderer
    let refusals: RefusalTally

    func leave(_ outcome: inout Result<Response, any Error>, _ context: RelyingPartyRequestContext) {
        var response: Response
        switch outcome {
        case .success(let answer): response = answer
        case .failure(let error):
            guard let refusal = ConsoleRefusal(error) else { return }
            refusal.note(in: refusals, context.logger)
            response = renderer.response(refusal, for: nil)
        }
        response.headers.protectPage(contentSecurityPolicy: Self.contentSecurityPolicy)
        outcome = .success(response)
    }
}
