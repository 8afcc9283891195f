import HTTPTypes
import Hummingbird
import Logging
import NightlatchRelyingParty
import NightlatchServer

/// Gives every answer of the console the headers that keep a browser from doing more with it than showing it, and makes a page of what
/// is refused before anybody knows who asks.
struct ConsoleAnswers: RouteStep {
    /// Nothing is loaded but the style sheet, nothing is sent elsewhere, no page may frame this one, and no script runs
    /// ([CSP level 3](https://www.w3.org/TR/CSP3/)).
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
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        if !response.headers.contains(.cacheControl) { response.headers[.cacheControl] = "no-store" }
        outcome = .success(response)
    }
}
